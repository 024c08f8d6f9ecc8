package api_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/account/x402/x402test"
	"github.com/waygate/waygate/api"
)

const (
	payTo    = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C"
	unitCost = 100 // of a unit in the token's atomic units
)

// market is an edge that takes payments, a facilitator that settles them, and
// a payer with 10,000 atomic units.
type market struct {
	*gateway
	bank  *x402test.Facilitator
	payer *x402test.Payer
	away  atomic.Bool // the facilitator does not settle
}

func trade(t *testing.T, change ...func(*api.Options)) *market {
	t.Helper()
	m := &market{bank: x402test.New(x402test.USDC(), time.Now)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if m.away.Load() && strings.HasSuffix(r.URL.Path, "/settle") {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		m.bank.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	token := x402test.USDC()
	o := x402.Options{
		Facilitator: server.URL, Network: token.Network, Asset: token.Asset, AssetName: token.Name, AssetVer: token.Version, PayTo: payTo, UnitPrice: unitCost,
	}
	if err := o.Check(); err != nil {
		t.Fatal(err)
	}
	m.gateway = startTaking(t, o, append([]func(*api.Options){func(o *api.Options) { o.DemoRPM = 0 }}, change...)...)
	var err error
	if m.payer, err = x402test.NewPayer(); err != nil {
		t.Fatal(err)
	}
	m.bank.Fund(m.payer.Address(), 10_000)
	return m
}

func (m *market) earned() int64 { return m.bank.Balance(payTo).Int64() }

// quote reads what a 402 accepts.
func (m *market) quote(r reply) x402.Requirement {
	m.t.Helper()
	var d struct {
		Code    string
		Version int `json:"x402Version"`
		Error   string
		Accepts []x402.Requirement
	}
	if err := json.Unmarshal(r.body, &d); err != nil || r.status != 402 || r.header.Get("Content-Type") != "application/json" ||
		d.Code != "payment_required" || d.Version != 1 || d.Error == "" || len(d.Accepts) != 1 {
		m.t.Fatalf("%d %v %s", r.status, err, r.body)
	}
	if r.members(m.t) != words("code balance_millipence upgrade x402Version error accepts") {
		m.t.Errorf("%s", r.body)
	}
	return d.Accepts[0]
}

func (m *market) pay(want x402.Requirement) string {
	m.t.Helper()
	p, err := m.payer.Pay(want, time.Now())
	if err != nil {
		m.t.Fatal(err)
	}
	header, err := p.Header()
	if err != nil {
		m.t.Fatal(err)
	}
	return header
}

// TestPaidCalls asks for the price, pays it, and gets what was paid for.
func TestPaidCalls(t *testing.T) {
	m := trade(t)
	for _, c := range []struct {
		method, path, body string
		units              int64
	}{
		{"POST", "/route", plainRoute, 1},
		{"POST", "/route", truckRoute, 20},
		{"GET", "/route/v1/truck/9.5,47.1;9.6,47.2", "", 20},
		{"GET", crs, "", 1},
		{"POST", "/map-issues", `{"lat":47,"lon":9,"category":"other"}`, 1},
	} {
		before := m.earned()
		want := m.quote(m.send(c.method, c.path, c.body))
		if want.MaxAmountRequired != fmt.Sprint(c.units*unitCost) || !strings.HasSuffix(want.Resource, strings.Split(c.path, "?")[0]) || !strings.HasPrefix(want.Resource, "http") {
			t.Errorf("%s: quoted %+v", c.path, want)
		}
		r := m.send(c.method, c.path, c.body, "X-PAYMENT", m.pay(want))
		if r.status >= 300 || r.header.Get("X-Svc-Quota-Units") != fmt.Sprint(c.units) {
			t.Fatalf("%s: %d %v %s", c.path, r.status, r.header, r.body)
		}
		var told struct {
			Success     bool
			Transaction string
		}
		text, err := base64.StdEncoding.DecodeString(r.header.Get("X-Payment-Response"))
		if err != nil || json.Unmarshal(text, &told) != nil || !told.Success || told.Transaction == "" {
			t.Errorf("%s: X-PAYMENT-RESPONSE %q", c.path, text)
		}
		if got := m.earned() - before; got != c.units*unitCost {
			t.Errorf("%s: %d was paid, want %d", c.path, got, c.units*unitCost)
		}
	}
	if text := string(m.send("GET", "/metrics", "").body); !strings.Contains(text, `waygate_units_total{class="premium",lane="payment"} 40`) {
		t.Error("the metrics do not tell of paid units")
	}
	m.send("GET", "/v1/keys/self", "").problem(t, 401, "unauthorized")
}

// TestUnpaidCalls tries to get something for nothing.
func TestUnpaidCalls(t *testing.T) {
	m := trade(t)
	one := m.quote(m.send("POST", "/route", plainRoute))
	// What fails costs nothing, and the payment may be used again.
	payment := m.pay(one)
	for _, c := range []struct {
		body   string
		status int
	}{
		{`{"costing":"auto","exclude":["tunnels"],` + two + `}`, 400},
		{`{`, 400},
		{`{"costing":"auto","locations":[{"lat":47.1,"lon":9.5,"name":"panic"},{"lat":47.2,"lon":9.6}]}`, 500},
		{truckRoute, 402}, // it is worth one unit, not twenty
	} {
		if r := m.send("POST", "/route", c.body, "X-PAYMENT", payment); r.status != c.status || r.header.Get("X-Payment-Response") != "" {
			t.Errorf("%s: %d %s", c.body, r.status, r.body)
		}
	}
	if m.earned() != 0 {
		t.Fatalf("%d was paid for failures", m.earned())
	}
	if r := m.send("POST", "/route", plainRoute, "X-PAYMENT", payment); r.status != 200 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	m.quote(m.send("POST", "/route", plainRoute, "X-PAYMENT", payment)) // a second time
	for name, header := range map[string]string{"no base64": "!", "no JSON": base64.StdEncoding.EncodeToString([]byte("{")), "empty": base64.StdEncoding.EncodeToString([]byte("{}"))} {
		if r := m.send("POST", "/route", plainRoute, "X-PAYMENT", header); r.status != 400 {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
	poor, err := x402test.NewPayer()
	if err != nil {
		t.Fatal(err)
	}
	m.payer, poor = poor, m.payer
	m.quote(m.send("POST", "/route", plainRoute, "X-PAYMENT", m.pay(one)))
	m.payer = poor
	if m.earned() != unitCost {
		t.Errorf("%d was paid, want one call", m.earned())
	}
}

// TestOnePaymentAtOnce sends the same payment many times at the same moment.
func TestOnePaymentAtOnce(t *testing.T) {
	m := trade(t)
	payment := m.pay(m.quote(m.send("POST", "/route", plainRoute)))
	var passed atomic.Int64
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			switch r := m.send("POST", "/route", plainRoute, "X-PAYMENT", payment); r.status {
			case 200:
				passed.Add(1)
			case 402:
			default:
				t.Errorf("%d %s", r.status, r.body)
			}
		})
	}
	all.Wait()
	if passed.Load() != 1 || m.earned() != unitCost {
		t.Errorf("%d calls passed for %d", passed.Load(), m.earned())
	}
}

// TestSettlementFails holds the answer back where the money does not come.
func TestSettlementFails(t *testing.T) {
	m := trade(t)
	payment := m.pay(m.quote(m.send("POST", "/route", plainRoute)))
	m.away.Store(true)
	r := m.send("POST", "/route", plainRoute, "X-PAYMENT", payment)
	r.problem(t, 503, "upstream-unavailable")
	if strings.Contains(string(r.body), "trip") || r.header.Get("X-Svc-Quota-Units") != "" {
		t.Errorf("the answer went out: %v %s", r.header, r.body)
	}
}

func TestPayerThatLeavesPaysNothing(t *testing.T) {
	m := trade(t)
	payment := m.pay(m.quote(m.send("POST", "/route", plainRoute)))
	m.engine.hold, m.engine.ends = make(chan struct{}), make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL+"/route", strings.NewReader(plainRoute))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-PAYMENT", payment)
	go func() {
		for m.engine.asked() == nil {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if resp, err := m.Client().Do(req); err == nil {
		_ = resp.Body.Close()
		t.Fatal("answered a client that left")
	}
	if err := <-m.engine.ends; err == nil {
		t.Error("the engine ended without a reason")
	}
	m.engine.hold = nil
	// The payment is let go of, and pays for another call.
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		r := m.send("POST", "/route", plainRoute, "X-PAYMENT", payment)
		if r.status == 200 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d %s", r.status, r.body)
		}
	}
	if m.earned() != unitCost {
		t.Errorf("%d was paid", m.earned())
	}
}

// TestKeysAndPayments has keys and payments meet.
func TestKeysAndPayments(t *testing.T) {
	m := trade(t, func(o *api.Options) { o.DemoRPM = 100 })
	if r := m.send("GET", crs, ""); r.status != 200 {
		t.Fatalf("the demo lane is open: %d %s", r.status, r.body)
	}
	if m.earned() != 0 {
		t.Fatal("the demo lane took money")
	}
	// A key with units does not pay; its quota does.
	k := m.minted(t, account.Minting{})
	key, _ := m.signUp("ann@example.org")
	if r := m.send("POST", "/admin/identities/ann@example.org/quota", `{"monthly_quota":1,"reason":"small"}`, bearer(adminToken)...); r.status != 200 {
		t.Fatalf("%s", r.body)
	}
	if r := m.send("GET", crs, "", append(bearer(k.Secret), "X-PAYMENT", "nonsense")...); r.status != 200 {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := m.send("GET", crs, "", bearer(key)...); r.status != 200 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	owed := m.send("POST", "/route", truckRoute, bearer(key)...)
	want := m.quote(owed)
	if owed.at(t, "upgrade") != website+"/console" || want.MaxAmountRequired != fmt.Sprint(20*unitCost) {
		t.Errorf("%s", owed.body)
	}
	// Without units it may.
	r := m.send("POST", "/route", truckRoute, append(bearer(key), "X-PAYMENT", m.pay(want))...)
	if r.status != 200 || r.header.Get("X-Payment-Response") == "" || m.earned() != 20*unitCost {
		t.Errorf("%d %v %d %s", r.status, r.header, m.earned(), r.body)
	}
	if r := m.send("GET", "/v1/keys/self", "", bearer(key)...); r.at(t, "used_this_month") != 1.0 {
		t.Errorf("%s", r.body)
	}
	// A wrong key is wrong, whatever is paid.
	m.send("GET", crs, "", append(bearer("wrong"), "X-PAYMENT", m.pay(want))...).problem(t, 401, "unauthorized")
	// Without a key a payment goes before the demo lane.
	if r := m.send("GET", crs, "", "X-PAYMENT", m.pay(want)); r.status != 200 || m.earned() == 20*unitCost {
		t.Errorf("%d, %d earned", r.status, m.earned())
	}

	shut := start(t, func(o *api.Options) { o.DemoRPM = 0 })
	shut.send("GET", crs, "", "X-PAYMENT", m.pay(want)).problem(t, 401, "unauthorized")
	other := shut.minted(t, account.Minting{})
	if r := shut.send("GET", crs, "", append(bearer(other.Secret), "X-PAYMENT", "nonsense")...); r.status != 200 {
		t.Errorf("%d %s", r.status, r.body)
	}
}
