import org.openapitools.client.ApiClient;
import org.openapitools.client.api.OrdersApi;
import org.openapitools.client.model.AmountInput;
import org.openapitools.client.model.Currency;
import org.openapitools.client.model.DraftOrderCreation;
import org.openapitools.client.model.Order;

/** Compiled with the generated classes, in the folder of the check. */
public final class RoundTrip {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    client.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + System.getenv("API_KEY")));
    OrdersApi orders = new OrdersApi(client);
    AmountInput amount =
        new AmountInput().net(3_000_000_000L).tax(0L).gross(3_000_000_000L).currency(Currency.EUR);
    DraftOrderCreation draft =
        new DraftOrderCreation()
            .externalId("client-java")
            .buyerExternalId("client-buyer")
            .merchantExternalId("client-merchant")
            .amount(amount);
    Order created = orders.createDraftOrder(draft, null);
    Order order = orders.getOrder(created.getExternalId(), null, null);
    long gross = order.getAmount().getGross();
    System.out.println(gross);
  }
}
