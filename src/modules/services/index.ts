export { collectionLifecycle } from './collection.lifecycle.ts';
export { financingLifecycle } from './financing.lifecycle.ts';
export { insuranceLifecycle } from './insurance.lifecycle.ts';
export { serviceEvents } from './service.events.ts';
export {
  findService,
  listServices,
  listServicesOfInvoices,
  lockServices,
  type ServiceChanges,
  type ServiceRow,
  writeExamined,
} from './service.queries.ts';
export {
  InvoiceService,
  ServiceFee,
  ServiceRequirement,
  ServiceTypeSchema,
  TAX_CATEGORIES,
  type TaxCategory,
} from './service.schemas.ts';
export { listServiceRows, listServicesOfInvoice } from './service-list.queries.ts';
export {
  isActiveService,
  type ServiceStatus,
  type ServiceTrigger,
  type ServiceType,
} from './service-status.rules.ts';
export { toInvoiceService } from './service-view.ts';
export {
  draftService,
  requestServices,
  type ServiceDraft,
  settleFinancings,
  transitionServices,
} from './transition-services.ts';
