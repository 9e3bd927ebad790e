// Compiled beside the generated package, in the folder of the check.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"example.com/client/tradeline"
)

func main() {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
		return nil
	}
	client, err := tradeline.NewClientWithResponses(os.Getenv("BASE_URL"), tradeline.WithRequestEditorFn(authorize))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	merchant, tax, currency := "client-merchant", int64(0), tradeline.EUR
	created, err := client.CreateDraftOrderWithResponse(ctx, nil, tradeline.DraftOrderCreation{
		ExternalId:         "client-go",
		BuyerExternalId:    "client-buyer",
		MerchantExternalId: &merchant,
		Amount:             tradeline.AmountInput{Net: 3_000_000_000, Tax: &tax, Gross: 3_000_000_000, Currency: &currency},
	})
	if err != nil {
		log.Fatal(err)
	}
	if created.JSON201 == nil {
		log.Fatal(string(created.Body))
	}
	order, err := client.GetOrderWithResponse(ctx, created.JSON201.ExternalId, nil)
	if err != nil {
		log.Fatal(err)
	}
	if order.JSON200 == nil {
		log.Fatal(string(order.Body))
	}
	var gross int64 = order.JSON200.Amount.Gross
	fmt.Println(gross)
}
