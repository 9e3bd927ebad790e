/**
 * Libraries of Standard Webhooks in other languages, if the machine has them. Nothing is downloaded: Python finds its library through
 * PYTHONPATH, and Go in its module cache.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SignedWebhook {
  secret: string;
  body: string;
  headers: Record<string, string>;
}

/** Null for each webhook that the library accepts; otherwise the reason of the refusal. */
export type Verify = (webhooks: readonly SignedWebhook[]) => (string | null)[];

export interface WebhookLibrary {
  language: string;
  /** The missing requirement on a machine without it. */
  needs: string;
  /** Null if the machine does not have it. May run a compiler, which writes to the folder: pass a new, empty one. */
  open(folder: string): Verify | null;
}

// The code of the guide.
const PYTHON = `
import base64, json, sys
from standardwebhooks import Webhook

def refusal(secret, body, headers):
    try:
        Webhook(base64.b64encode(secret.encode()).decode()).verify(body, headers)
    except Exception as error:
        return str(error)

print(json.dumps([refusal(**webhook) for webhook in json.load(sys.stdin)]))`;

const GO_MODULE = 'github.com/standard-webhooks/standard-webhooks/libraries';
const GO_VERSION = 'v0.0.1';
const GO = `package main

import (
	"encoding/json"
	"net/http"
	"os"

	standardwebhooks "${GO_MODULE}/go"
)

type signedWebhook struct {
	Secret  string
	Body    string
	Headers map[string]string
}

func verify(signed signedWebhook) error {
	webhook, err := standardwebhooks.NewWebhookRaw([]byte(signed.Secret))
	if err != nil {
		return err
	}
	headers := http.Header{}
	for name, value := range signed.Headers {
		headers.Set(name, value)
	}
	return webhook.Verify([]byte(signed.Body), headers)
}

func main() {
	var webhooks []signedWebhook
	if err := json.NewDecoder(os.Stdin).Decode(&webhooks); err != nil {
		panic(err)
	}
	refusals := make([]*string, len(webhooks))
	for nth, webhook := range webhooks {
		if err := verify(webhook); err != nil {
			text := err.Error()
			refusals[nth] = &text
		}
	}
	json.NewEncoder(os.Stdout).Encode(refusals)
}
`;

export const WEBHOOK_LIBRARIES: readonly WebhookLibrary[] = [
  {
    language: 'Python',
    needs: 'python3 that imports standardwebhooks, perhaps by PYTHONPATH',
    open() {
      if (!runs('python3', ['-c', 'import standardwebhooks'])) return null;
      return verifyWith('python3', ['-c', PYTHON]);
    },
  },
  {
    language: 'Go',
    needs: `go with ${GO_MODULE} ${GO_VERSION} in its module cache`,
    open(folder) {
      if (!runs('go', ['mod', 'download', `${GO_MODULE}@${GO_VERSION}`])) return null;
      writeFileSync(
        join(folder, 'go.mod'),
        `module verifier\n\ngo 1.21\n\nrequire ${GO_MODULE} ${GO_VERSION}\n`,
      );
      writeFileSync(join(folder, 'main.go'), GO);
      execFileSync('go', ['build', '-o', 'verifier', '.'], { ...options(), cwd: folder });
      return verifyWith(join(folder, 'verifier'), []);
    },
  },
];

/** The complete environment that they need. Go does not verify its cache with a server. */
function options() {
  const { PATH, HOME, PYTHONPATH } = process.env;
  const offline = { GOPROXY: 'off', GOSUMDB: 'off', GOFLAGS: '-mod=mod' };
  return { env: { PATH, HOME, ...(PYTHONPATH && { PYTHONPATH }), ...offline } };
}

function runs(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { ...options(), cwd: tmpdir(), stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function verifyWith(command: string, args: readonly string[]): Verify {
  return (webhooks) =>
    JSON.parse(execFileSync(command, args, { ...options(), input: JSON.stringify(webhooks) }).toString());
}
