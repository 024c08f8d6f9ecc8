package e2e

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/account/x402/x402test"
	"github.com/waygate/waygate/outbox/outboxtest"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

// till is a gateway that takes payment with the call, and who pays.
type till struct {
	*gateway
	bank     *x402test.Facilitator
	payer    *x402test.Payer
	database string
}

const (
	payTo     = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C"
	tokenUnit = 125 // price of a unit in the token's smallest units
)

// TestMachinePayment pays for calls with the calls themselves.
func TestMachinePayment(t *testing.T) {
	t.Parallel()
	usdc := x402test.USDC()
	p := till{bank: x402test.New(usdc, nil), database: storetest.SQLite(t)}
	server := httptest.NewServer(p.bank)
	t.Cleanup(server.Close)
	var err error
	if p.payer, err = x402test.NewPayer(); err != nil {
		t.Fatal(err)
	}
	p.bank.Fund(p.payer.Address(), 1_000_000)
	p.gateway = start(t, accounts(p.database, outboxtest.SMTP(t), "SVC_DEMO_RPM=0", "SVC_X402_FACILITATOR="+server.URL, "SVC_X402_NETWORK="+usdc.Network,
		"SVC_X402_ASSET="+usdc.Asset, "SVC_X402_ASSET_NAME="+usdc.Name, "SVC_X402_ASSET_VERSION="+usdc.Version, "SVC_X402_PAY_TO="+payTo, "SVC_X402_UNIT_PRICE=125"), "serve", "--region", countyDir(t))

	p.buys(t, "auto", 1)
	p.buys(t, "truck", 20)
	t.Run("too little", func(t *testing.T) {
		p.refuses(t, p.pay(t, p.priceOf(t, "auto"), nil), "truck")
	})
	t.Run("to somebody else", func(t *testing.T) {
		price := p.priceOf(t, "auto")
		price.PayTo = p.payer.Address()
		p.refuses(t, p.pay(t, price, nil), "auto")
	})
	t.Run("changed after it was signed", func(t *testing.T) {
		cheap := p.priceOf(t, "auto")
		header := p.pay(t, cheap, func(payment *x402test.Payment) { payment.Payload.Authorization.Value = "2500" })
		p.refuses(t, header, "truck")
	})
	t.Run("malformed", func(t *testing.T) {
		p.drive(t, `"costing":"auto"`, "not base64 at all").refused(t, 400, "bad-request")
	})
	t.Run("for a call that fails", p.failing)
	t.Run("ten times at once", p.race)
	t.Run("in the figures", p.figures)
}

func (p *till) drive(t *testing.T, more, payment string) *answer {
	t.Helper()
	header := []string{"Content-Type: application/json"}
	if payment != "" {
		header = append(header, "X-PAYMENT: "+payment)
	}
	return p.send(t, http.MethodPost, "/route", body(more), header...)
}

// priceOf returns the price of a call.
func (p *till) priceOf(t *testing.T, costing string) x402.Requirement {
	t.Helper()
	a := p.drive(t, `"costing":"`+costing+`"`, "")
	var demand x402.Required
	if a.into(t, &demand); a.status != http.StatusPaymentRequired || demand.Version != 1 || demand.Error == "" || len(demand.Accepts) != 1 {
		t.Fatalf("asked for the price: %s", a)
	}
	r := demand.Accepts[0]
	if r.Scheme != "exact" || r.Resource != p.url+"/route" || r.PayTo != payTo || a.header.Get("Content-Type") != "application/json" {
		t.Errorf("the price: %s", a)
	}
	return r
}

// pay signs the payment requested; change alters it afterwards.
func (p *till) pay(t *testing.T, r x402.Requirement, change func(*x402test.Payment)) string {
	t.Helper()
	payment, err := p.payer.Pay(r, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(&payment)
	}
	header, err := payment.Header()
	if err != nil {
		t.Fatal(err)
	}
	return header
}

// buys pays for one call, and tries to use the payment again.
func (p *till) buys(t *testing.T, costing string, units int64) {
	t.Helper()
	settled, before := p.bank.Settled(), p.bank.Balance(payTo).Int64()
	header := p.pay(t, p.priceOf(t, costing), nil)
	a := p.drive(t, `"costing":"`+costing+`"`, header).ok(t)
	text, err := base64.StdEncoding.DecodeString(a.header.Get("X-PAYMENT-RESPONSE"))
	if err != nil {
		t.Fatal(err)
	}
	var receipt struct {
		Success                     bool
		Transaction, Network, Payer string
	}
	if err := json.Unmarshal(text, &receipt); err != nil || !receipt.Success || receipt.Transaction == "" || receipt.Network != "base-sepolia" || receipt.Payer != p.payer.Address() {
		t.Errorf("the receipt: %s %v", text, err)
	}
	var route trip
	if a.into(t, &route); len(route.Trip.Legs) != 1 {
		t.Errorf("paid for %s", a)
	}
	if paid := p.bank.Balance(payTo).Int64() - before; p.bank.Settled() != settled+1 || paid != units*tokenUnit {
		t.Errorf("%s: paid %d in %d payments, want %d in one", costing, paid, p.bank.Settled()-settled, units*tokenUnit)
	}
	p.refuses(t, header, costing)
}

// refuses sends a payment that must not be taken.
func (p *till) refuses(t *testing.T, header, costing string) {
	t.Helper()
	settled := p.bank.Settled()
	a := p.drive(t, `"costing":"`+costing+`"`, header)
	var demand x402.Required
	a.into(t, &demand)
	if a.status != http.StatusPaymentRequired || demand.Version != 1 || demand.Error == "" || len(demand.Accepts) != 1 || a.header.Get("X-PAYMENT-RESPONSE") != "" {
		t.Errorf("a payment that is not good: %s", a)
	}
	if p.bank.Settled() != settled {
		t.Error("and it was taken")
	}
}

// failing: a call that fails costs nothing, and its payment is good for the
// next.
func (p *till) failing(t *testing.T) {
	settled := p.bank.Settled()
	header := p.pay(t, p.priceOf(t, "auto"), nil)
	for _, wrong := range []string{`"costing":"hovercraft"`, `"costing":"auto","directions_type":7`} {
		if a := p.drive(t, wrong, header); a.status != http.StatusBadRequest {
			t.Errorf("%s: %s", wrong, a)
		}
	}
	if p.bank.Settled() != settled {
		t.Error("a call that failed was paid")
	}
	p.drive(t, `"costing":"auto"`, header).ok(t)
	if p.bank.Settled() != settled+1 {
		t.Error("the call after it was not")
	}
}

// race: one payment pays for one call.
func (p *till) race(t *testing.T) {
	settled := p.bank.Settled()
	header := p.pay(t, p.priceOf(t, "auto"), nil)
	var work sync.WaitGroup
	var mu sync.Mutex
	statuses := map[int]int{}
	for range 10 {
		work.Go(func() {
			a, err := request(http.MethodPost, p.url+"/route", body(`"costing":"auto"`), "X-PAYMENT: "+header)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				statuses[a.status]++
			}
		})
	}
	work.Wait()
	if statuses[200] != 1 || statuses[402] != 9 || p.bank.Settled() != settled+1 {
		t.Errorf("answers by status %v, %d settled", statuses, p.bank.Settled()-settled)
	}
}

// figures: what was paid for is counted, and not as calls of a demo lane that
// is closed.
func (p *till) figures(t *testing.T) {
	db := storetest.Open(t, p.database)
	waittest.Until(t, "what was paid for is counted", func() bool {
		return queryInt(t, db, "SELECT COALESCE(SUM(units), 0) FROM demo_features WHERE feature = 'x402'") == p.bank.Balance(payTo).Int64()/tokenUnit
	})
	if got := reply[any](t, p.gateway, 200, http.MethodGet, "/admin/commercial", adminToken, nil); dig(got, "demo_lane.calls") != 0.0 || dig(got, "demo_lane.enabled") != false {
		t.Errorf("the demo lane: %v", dig(got, "demo_lane"))
	}
}
