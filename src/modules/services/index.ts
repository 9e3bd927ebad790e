export { collectionLifecycle } from './collection.lifecycle.ts';
export { financingLifecycle } from './financing.lifecycle.ts';
export { insuranceLifecycle } from './insurance.lifecycle.ts';
export { serviceEvents } from './service.events.ts';
export {
  listServices,
  listServicesOfInvoices,
  lockServices,
  type ServiceRow,
  toInvoiceService,
} from './service.queries.ts';
export { InvoiceService } from './service.schemas.ts';
export { settleFinancings, transitionServices } from './transition-services.ts';
