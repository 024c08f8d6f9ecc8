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
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/waittest"
)

const (
	payTo    = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C"
	unitCost = 100 // of a unit in the token's atomic units
)

// market is an edge that takes payments, a facilitator that settles them, and
// a payer with 10,000 atomic units.
type market struct {
	*apitest.Gateway
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
	m.Gateway = apitest.StartTaking(t, o, append([]func(*api.Options){func(o *api.Options) { o.DemoRPM = 0 }}, change...)...)
	var err error
	if m.payer, err = x402test.NewPayer(); err != nil {
		t.Fatal(err)
	}
	m.bank.Fund(m.payer.Address(), 10_000)
	return m
}

func (m *market) earned() int64 { return m.bank.Balance(payTo).Int64() }

// quote reads what a 402 accepts.
func (m *market) quote(r apitest.Reply) x402.Requirement {
	m.T.Helper()
	var d struct {
		Code    string
		Version int `json:"x402Version"`
		Error   string
		Accepts []x402.Requirement
	}
	if err := json.Unmarshal(r.Body, &d); err != nil || r.Status != 402 || r.Header.Get("Content-Type") != "application/json" ||
		d.Code != "payment_required" || d.Version != 1 || d.Error == "" || len(d.Accepts) != 1 {
		m.T.Fatalf("%d %v %s", r.Status, err, r.Body)
	}
	if r.Members(m.T) != words("code balance_millipence upgrade x402Version error accepts") {
		m.T.Errorf("%s", r.Body)
	}
	return d.Accepts[0]
}

func (m *market) pay(want x402.Requirement) string {
	m.T.Helper()
	p, err := m.payer.Pay(want, time.Now())
	if err != nil {
		m.T.Fatal(err)
	}
	header, err := p.Header()
	if err != nil {
		m.T.Fatal(err)
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
		want := m.quote(m.Send(c.method, c.path, c.body))
		if want.MaxAmountRequired != fmt.Sprint(c.units*unitCost) || !strings.HasSuffix(want.Resource, strings.Split(c.path, "?")[0]) || !strings.HasPrefix(want.Resource, "http") {
			t.Errorf("%s: quoted %+v", c.path, want)
		}
		r := m.Send(c.method, c.path, c.body, "X-PAYMENT", m.pay(want))
		if r.Status >= 300 || r.Header.Get("X-Svc-Quota-Units") != fmt.Sprint(c.units) {
			t.Fatalf("%s: %d %v %s", c.path, r.Status, r.Header, r.Body)
		}
		var answer struct {
			Success     bool
			Transaction string
		}
		text, err := base64.StdEncoding.DecodeString(r.Header.Get("X-Payment-Response"))
		if err != nil || json.Unmarshal(text, &answer) != nil || !answer.Success || answer.Transaction == "" {
			t.Errorf("%s: X-PAYMENT-RESPONSE %q", c.path, text)
		}
		if got := m.earned() - before; got != c.units*unitCost {
			t.Errorf("%s: %d was paid, want %d", c.path, got, c.units*unitCost)
		}
	}
	if text := string(m.Send("GET", "/metrics", "").Body); !strings.Contains(text, `waygate_units_total{class="premium",lane="payment"} 40`) {
		t.Error("the metrics do not tell of paid units")
	}
	m.Send("GET", "/v1/keys/self", "").Problem(t, 401, "unauthorized")
}

// TestUnpaidCalls tries to get something for nothing.
func TestUnpaidCalls(t *testing.T) {
	m := trade(t)
	one := m.quote(m.Send("POST", "/route", plainRoute))
	// A call that fails costs nothing, and the payment may be used again.
	payment := m.pay(one)
	for _, c := range []struct {
		body   string
		status int
	}{
		{`{"costing":"auto","exclude":["tunnels"],` + apitest.Two + `}`, 400},
		{`{`, 400},
		{`{"costing":"auto","locations":[{"lat":47.1,"lon":9.5,"name":"panic"},{"lat":47.2,"lon":9.6}]}`, 500},
		{truckRoute, 402}, // it is worth one unit, not twenty
	} {
		if r := m.Send("POST", "/route", c.body, "X-PAYMENT", payment); r.Status != c.status || r.Header.Get("X-Payment-Response") != "" {
			t.Errorf("%s: %d %s", c.body, r.Status, r.Body)
		}
	}
	if m.earned() != 0 {
		t.Fatalf("%d was paid for failures", m.earned())
	}
	if r := m.Send("POST", "/route", plainRoute, "X-PAYMENT", payment); r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	m.quote(m.Send("POST", "/route", plainRoute, "X-PAYMENT", payment)) // a second time
	for name, header := range map[string]string{"no base64": "!", "no JSON": base64.StdEncoding.EncodeToString([]byte("{")), "empty": base64.StdEncoding.EncodeToString([]byte("{}"))} {
		if r := m.Send("POST", "/route", plainRoute, "X-PAYMENT", header); r.Status != 400 {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
	}
	poor, err := x402test.NewPayer()
	if err != nil {
		t.Fatal(err)
	}
	m.payer, poor = poor, m.payer
	m.quote(m.Send("POST", "/route", plainRoute, "X-PAYMENT", m.pay(one)))
	m.payer = poor
	if m.earned() != unitCost {
		t.Errorf("%d was paid, want one call", m.earned())
	}
}

// TestOnePaymentAtOnce sends the same payment many times at the same moment.
func TestOnePaymentAtOnce(t *testing.T) {
	m := trade(t)
	payment := m.pay(m.quote(m.Send("POST", "/route", plainRoute)))
	var passed atomic.Int64
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			switch r := m.Send("POST", "/route", plainRoute, "X-PAYMENT", payment); r.Status {
			case 200:
				passed.Add(1)
			case 402:
			default:
				t.Errorf("%d %s", r.Status, r.Body)
			}
		})
	}
	all.Wait()
	if passed.Load() != 1 || m.earned() != unitCost {
		t.Errorf("%d calls passed for %d", passed.Load(), m.earned())
	}
}

// TestSettlementFails checks that the answer is held back where the money does not come.
func TestSettlementFails(t *testing.T) {
	m := trade(t)
	payment := m.pay(m.quote(m.Send("POST", "/route", plainRoute)))
	m.away.Store(true)
	r := m.Send("POST", "/route", plainRoute, "X-PAYMENT", payment)
	r.Problem(t, 503, "upstream-unavailable")
	if strings.Contains(string(r.Body), "trip") || r.Header.Get("X-Svc-Quota-Units") != "" {
		t.Errorf("the answer went out: %v %s", r.Header, r.Body)
	}
}

func TestPayerThatLeavesPaysNothing(t *testing.T) {
	m := trade(t)
	payment := m.pay(m.quote(m.Send("POST", "/route", plainRoute)))
	m.Engine.Hold, m.Engine.Ends = make(chan struct{}), make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL+"/route", strings.NewReader(plainRoute))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-PAYMENT", payment)
	go func() {
		for m.Engine.Asked() == nil {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if resp, err := m.Client().Do(req); err == nil {
		_ = resp.Body.Close()
		t.Fatal("answered a client that left")
	}
	if err := <-m.Engine.Ends; err == nil {
		t.Error("the engine ended without a reason")
	}
	m.Engine.Hold = nil
	// The payment is let go of, and pays for another call.
	waittest.Until(t, "the payment pays for another call", func() bool {
		return m.Send("POST", "/route", plainRoute, "X-PAYMENT", payment).Status == 200
	})
	if m.earned() != unitCost {
		t.Errorf("%d was paid", m.earned())
	}
}

// TestKeysAndPayments has keys and payments meet.
func TestKeysAndPayments(t *testing.T) {
	m := trade(t, func(o *api.Options) { o.DemoRPM = 100 })
	if r := m.Send("GET", crs, ""); r.Status != 200 {
		t.Fatalf("the demo lane is open: %d %s", r.Status, r.Body)
	}
	if m.earned() != 0 {
		t.Fatal("the demo lane took money")
	}
	// A key with units does not pay; its quota does.
	k := m.Minted(t, account.Minting{})
	key, _ := m.SignUp("ann@example.org")
	if r := m.Send("POST", "/admin/identities/ann@example.org/quota", `{"monthly_quota":1,"reason":"small"}`, apitest.Bearer(apitest.AdminToken)...); r.Status != 200 {
		t.Fatalf("%s", r.Body)
	}
	if r := m.Send("GET", crs, "", append(apitest.Bearer(k.Secret), "X-PAYMENT", "nonsense")...); r.Status != 200 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if r := m.Send("GET", crs, "", apitest.Bearer(key)...); r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	owed := m.Send("POST", "/route", truckRoute, apitest.Bearer(key)...)
	want := m.quote(owed)
	if owed.At(t, "upgrade") != apitest.Website+"/console" || want.MaxAmountRequired != fmt.Sprint(20*unitCost) {
		t.Errorf("%s", owed.Body)
	}
	// Without units it may.
	r := m.Send("POST", "/route", truckRoute, append(apitest.Bearer(key), "X-PAYMENT", m.pay(want))...)
	if r.Status != 200 || r.Header.Get("X-Payment-Response") == "" || m.earned() != 20*unitCost {
		t.Errorf("%d %v %d %s", r.Status, r.Header, m.earned(), r.Body)
	}
	if r := m.Send("GET", "/v1/keys/self", "", apitest.Bearer(key)...); r.At(t, "used_this_month") != 1.0 {
		t.Errorf("%s", r.Body)
	}
	// A wrong key is wrong, whatever is paid.
	m.Send("GET", crs, "", append(apitest.Bearer("wrong"), "X-PAYMENT", m.pay(want))...).Problem(t, 401, "unauthorized")
	// Without a key a payment goes before the demo lane.
	if r := m.Send("GET", crs, "", "X-PAYMENT", m.pay(want)); r.Status != 200 || m.earned() == 20*unitCost {
		t.Errorf("%d, %d earned", r.Status, m.earned())
	}

	shut := apitest.Start(t, func(o *api.Options) { o.DemoRPM = 0 })
	shut.Send("GET", crs, "", "X-PAYMENT", m.pay(want)).Problem(t, 401, "unauthorized")
	other := shut.Minted(t, account.Minting{})
	if r := shut.Send("GET", crs, "", append(apitest.Bearer(other.Secret), "X-PAYMENT", "nonsense")...); r.Status != 200 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}
