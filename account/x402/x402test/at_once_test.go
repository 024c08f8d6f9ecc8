package x402test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/account/x402"
)

// TestSettleAtOnce has four callers settle the same payments, of which each moves money
// once, while others look at what was settled.
func TestSettleAtOnce(t *testing.T) {
	const payments, callers, price = 8, 4, 10
	payer, err := NewPayer()
	if err != nil {
		t.Fatal(err)
	}
	now, usdc := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC), USDC()
	f := New(usdc, func() time.Time { return now })
	f.Fund(payer.Address(), payments*price)
	to := "0x209693Bc6afc0C5328bA36FaF03C514EF312287C"
	asked := x402.Requirement{
		Scheme: "exact", Network: usdc.Network, MaxAmountRequired: "10", PayTo: to, MaxTimeoutSeconds: 60, Asset: usdc.Asset,
		Extra: map[string]any{"name": usdc.Name, "version": usdc.Version},
	}
	var bodies [][]byte
	for range payments {
		p, err := payer.Pay(asked, now)
		if err != nil {
			t.Fatal(err)
		}
		body, err := json.Marshal(map[string]any{"x402Version": 1, "paymentPayload": p, "paymentRequirements": asked})
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for _, body := range bodies {
				for _, path := range []string{"/verify", "/settle"} {
					f.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, path, bytes.NewReader(body)))
				}
				if n := f.Settled(); n < 1 || n > payments {
					t.Errorf("%d payments are settled", n)
				}
			}
		})
	}
	all.Wait()
	if n, paid, left := f.Settled(), f.Balance(to).Int64(), f.Balance(payer.Address()).Int64(); n != payments || paid != payments*price || left != 0 {
		t.Errorf("%d payments are settled, %d were paid and %d are left", n, paid, left)
	}
}
