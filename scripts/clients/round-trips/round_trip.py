"""Runs beside the generated package, in the folder of the check."""

import os

from tradeline import AuthenticatedClient
from tradeline.api.orders import create_draft_order, get_order
from tradeline.models import AmountInput, Currency, DraftOrderCreation, Order

client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["API_KEY"])
draft = DraftOrderCreation(
    external_id="client-python",
    buyer_external_id="client-buyer",
    merchant_external_id="client-merchant",
    amount=AmountInput(net=3_000_000_000, tax=0, gross=3_000_000_000, currency=Currency.EUR),
)
created = create_draft_order.sync(client=client, body=draft)
assert isinstance(created, Order), created
order = get_order.sync(created.external_id, client=client)
assert isinstance(order, Order), order
print(order.amount.gross)
