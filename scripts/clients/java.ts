import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type ClientCheck, environmentOf, ROUND_TRIPS } from './check.ts';
import { command } from './command.ts';

const GENERATOR_VERSION = '7.25.0';
const ARTIFACT = `org.openapitools:openapi-generator-cli:${GENERATOR_VERSION}`;
const MAVEN = ['--quiet', '--batch-mode', '-Dstyle.color=never'];

const generatorIn = (cache: string) => join(cache, 'java', `openapi-generator-cli-${GENERATOR_VERSION}.jar`);

/** The client on Java's own HTTP client (`native`). An unknown value of an enum becomes a default. */
export const java: ClientCheck = {
  name: 'Java',

  async prepare(cache) {
    const [version] = (await command('java', ['--version'])).split('\n');
    await command('mvn', ['--version']);
    if (!existsSync(generatorIn(cache))) {
      const target = [`-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${join(cache, 'java')}`];
      await command('mvn', [...MAVEN, 'dependency:copy', ...target]);
    }
    return `openapi-generator ${GENERATOR_VERSION}, ${version}`;
  },

  async generate({ openapi, folder }, cache) {
    const target = ['-i', openapi, '-o', folder, '-g', 'java', '--library', 'native'];
    const properties = ['--additional-properties', 'enumUnknownDefaultCase=true'];
    await command('java', ['-jar', generatorIn(cache), 'generate', ...target, ...properties]);
    copyFileSync(
      new URL('RoundTrip.java', ROUND_TRIPS),
      join(folder, 'src', 'main', 'java', 'RoundTrip.java'),
    );
  },

  async compile({ folder }) {
    const classpath = ['dependency:build-classpath', '-Dmdep.outputFile=classpath.txt'];
    await command('mvn', [...MAVEN, '-DskipTests', 'compile', ...classpath], { cwd: folder });
  },

  roundTrip({ folder }, server) {
    const libraries = readFileSync(join(folder, 'classpath.txt'), 'utf8').trim();
    const classpath = [join(folder, 'target', 'classes'), libraries].join(delimiter);
    return command('java', ['-cp', classpath, 'RoundTrip'], { env: environmentOf(server) });
  },
};
