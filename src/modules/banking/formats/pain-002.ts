/** Answers to payment orders (pain.002) of ISO 20022, from version 03 on. */
import type { XmlNode } from '#infra/files/xml-stream';
import type { PaymentStatusRecord } from './bank-document.ts';
import type { FormatReader } from './format-reader.ts';
import { codeAt, nodeAt, textAt } from './xml-fields.ts';

const ROOT = 'Document/CstmrPmtStsRpt';
const BATCH = `${ROOT}/OrgnlPmtInfAndSts`;
const GROUP = `${ROOT}/OrgnlGrpInfAndSts`;
const PAYMENT = `${BATCH}/TxInfAndSts`;
const BATCH_FIELDS = ['OrgnlPmtInfId', 'PmtInfSts', 'StsRsnInf'].map((name) => `${BATCH}/${name}`);

const reasonOf = (node: XmlNode | undefined) => codeAt(node, 'Rsn');

export const pain002: FormatReader = {
  root: ROOT,
  shape(path) {
    if (path === BATCH) return 'container';
    return path === GROUP || path === PAYMENT || BATCH_FIELDS.includes(path) ? 'record' : 'other';
  },
  reader() {
    let messageId: string | null = null;
    let batch = new Map<string, XmlNode>();
    const answer = (
      about: PaymentStatusRecord['about'],
      status: string,
      more: Partial<PaymentStatusRecord>,
    ): PaymentStatusRecord => ({
      kind: 'payment status',
      ...{ about, status, messageId, endToEndId: null, reason: null },
      batchId: about === 'FILE' ? null : (batch.get('OrgnlPmtInfId')?.text ?? null),
      ...more,
    });
    return {
      *read({ path, event, node }) {
        if (path === GROUP) {
          messageId = textAt(node, 'OrgnlMsgId');
          const status = textAt(node, 'GrpSts');
          if (status !== null) yield answer('FILE', status, { reason: reasonOf(nodeAt(node, 'StsRsnInf')) });
        } else if (path === PAYMENT) {
          const status = textAt(node, 'TxSts');
          const endToEndId = textAt(node, 'OrgnlEndToEndId');
          const reason = reasonOf(nodeAt(node, 'StsRsnInf')) ?? reasonOf(batch.get('StsRsnInf'));
          if (status !== null) yield answer('PAYMENT', status, { endToEndId, reason });
        } else if (path !== BATCH) batch.set(node.name, node);
        else if (event === 'begin') batch = new Map();
        else {
          const status = batch.get('PmtInfSts')?.text;
          if (status) yield answer('BATCH', status, { reason: reasonOf(batch.get('StsRsnInf')) });
        }
      },
    };
  },
};
