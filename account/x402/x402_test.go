package x402_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/account/x402/x402test"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/waittest"
	"pgregory.net/rapid"
)

const (
	payTo    = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C"
	resource = "https://api.example.com/route"
	price    = 100 // atomic units for a unit
)

// fixture takes payments with a facilitator of its own and a payer who has 10,000
// atomic units.
type fixture struct {
	t           testing.TB
	payments    *x402.Payments
	facilitator *x402test.Facilitator
	payer       *x402test.Payer
	options     x402.Options
	offset      atomic.Int64 // of the clock, in nanoseconds
	// between, where it is set, handles the requests of Payments.
	between atomic.Pointer[http.HandlerFunc]
	asked   atomic.Int64
}

func open(t testing.TB) *fixture {
	t.Helper()
	s := &fixture{t: t}
	s.facilitator = x402test.New(x402test.USDC(), s.now)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		if h := s.between.Load(); h != nil {
			(*h)(w, r)
			return
		}
		s.facilitator.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	token := x402test.USDC()
	s.options = x402.Options{
		Facilitator: server.URL + "/", Network: token.Network, Asset: token.Asset,
		AssetName: token.Name, AssetVer: token.Version, PayTo: payTo, UnitPrice: price, Now: s.now,
	}
	if err := s.options.Check(); err != nil {
		t.Fatal(err)
	}
	s.payments = x402.New(s.options)
	var err error
	if s.payer, err = x402test.NewPayer(); err != nil {
		t.Fatal(err)
	}
	s.facilitator.Fund(s.payer.Address(), 10_000)
	return s
}

func (s *fixture) now() time.Time { return time.Now().Add(time.Duration(s.offset.Load())) }

func (s *fixture) instead(h http.HandlerFunc) {
	if h == nil {
		s.between.Store(nil)
		return
	}
	s.between.Store(&h)
}

// requirement returns the requirement of Payments for units.
func (s *fixture) requirement(units int64) x402.Requirement {
	s.t.Helper()
	d := s.payments.Require(resource, "A route", units, "no credit")
	if d.Version != 1 || d.Error != "no credit" || len(d.Accepts) != 1 {
		s.t.Fatalf("%+v", d)
	}
	return d.Accepts[0]
}

// pay signs for units and lets change spoil what was signed.
func (s *fixture) pay(units int64, change func(*x402test.Payment)) *x402.Payment {
	s.t.Helper()
	payment, err := s.payer.Pay(s.requirement(units), s.now())
	if err != nil {
		s.t.Fatal(err)
	}
	if change != nil {
		change(&payment)
	}
	return s.read(payment)
}

func (s *fixture) read(payment x402test.Payment) *x402.Payment {
	s.t.Helper()
	header, err := payment.Header()
	if err != nil {
		s.t.Fatal(err)
	}
	p, err := s.payments.Read(header)
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

func (s *fixture) verify(p *x402.Payment, units int64) error {
	return s.payments.Verify(context.Background(), p, resource, units)
}

// refused checks that a payment is refused for a reason.
func refused(t testing.TB, err error, reason string) {
	t.Helper()
	var r *x402.Refused
	if !errors.As(err, &r) || r.Reason != reason {
		t.Errorf("%v; it should be refused as %s", err, reason)
	}
}

func opened(t testing.TB, response string) map[string]any {
	t.Helper()
	text, err := base64.StdEncoding.DecodeString(response)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func (s *fixture) paid() int64 { return s.facilitator.Balance(payTo).Int64() }

func TestPay(t *testing.T) {
	s := open(t)
	p := s.pay(20, nil)
	if err := s.verify(p, 20); err != nil {
		t.Fatal(err)
	}
	if s.paid() != 0 {
		t.Error("taken before the call")
	}
	// The client leaves as soon as it has its answer.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	response, err := s.payments.Settle(ctx, p, resource, 20)
	if err != nil || s.paid() != 2000 || s.facilitator.Balance(s.payer.Address()).Int64() != 8000 {
		t.Fatalf("%v, %d paid", err, s.paid())
	}
	got := opened(t, response)
	if got["success"] != true || got["network"] != "base-sepolia" || got["payer"] != s.payer.Address() || len(got["transaction"].(string)) != 66 || got["errorReason"] != nil {
		t.Errorf("%v", got)
	}
}

func TestDemand(t *testing.T) {
	s := open(t)
	text, err := json.Marshal(s.payments.Require(resource, "A route", 8, "no credit"))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"x402Version":1,"error":"no credit","accepts":[{"scheme":"exact","network":"base-sepolia","maxAmountRequired":"800",` +
		`"resource":"https://api.example.com/route","description":"A route","mimeType":"application/json",` +
		`"payTo":"0x209693Bc6afc0C5328bA36FaF03C514EF312287C","maxTimeoutSeconds":60,"asset":"0x036CbD53842c5426634e7929541eC2318f3dCF7e",` +
		`"extra":{"name":"USDC","version":"2"}}]}`
	if string(text) != want {
		t.Errorf("%s", text)
	}
}

func TestAmountsDoNotOverflow(t *testing.T) {
	s := open(t)
	rapid.Check(t, func(t *rapid.T) {
		o := s.options
		o.UnitPrice = rapid.Int64Range(1, math.MaxInt64).Draw(t, "price")
		units := rapid.Int64().Draw(t, "units")
		want := new(big.Int)
		if units > 0 {
			want.Mul(big.NewInt(units), big.NewInt(o.UnitPrice))
		}
		if got := x402.New(o).Require(resource, "", units, "").Accepts[0].MaxAmountRequired; got != want.String() {
			t.Fatalf("%d units at %d cost %s, not %s", units, o.UnitPrice, got, want)
		}
	})
}

func TestClosed(t *testing.T) {
	for _, o := range []x402.Options{{}, {UnitPrice: 1}, {Facilitator: "https://f.example"}} {
		closed := x402.New(o)
		if closed.Open() {
			t.Errorf("%+v is open", o)
		}
		if _, err := closed.Read("x"); !fault.IsNotEnabled(err) {
			t.Errorf("%v", err)
		}
		if text, err := json.Marshal(closed.Require(resource, "", 1, "no")); err != nil || string(text) != `{"x402Version":1,"error":"no","accepts":[]}` {
			t.Errorf("%s, %v", text, err)
		}
	}
}

// TestRefusedHere checks payments that are refused without asking the facilitator.
func TestRefusedHere(t *testing.T) {
	s := open(t)
	in := func(d time.Duration) string { return strconv.FormatInt(s.now().Add(d).Unix(), 10) }
	for name, c := range map[string]struct {
		change func(*x402test.Payment)
		reason string
	}{
		"scheme":        {func(p *x402test.Payment) { p.Scheme = "upto" }, "invalid_scheme"},
		"network":       {func(p *x402test.Payment) { p.Network = "base" }, "invalid_network"},
		"recipient":     {func(p *x402test.Payment) { p.Payload.Authorization.To = s.payer.Address() }, "invalid_exact_evm_payload_recipient_mismatch"},
		"one too few":   {func(p *x402test.Payment) { p.Payload.Authorization.Value = "1999" }, "invalid_exact_evm_payload_authorization_value"},
		"nothing":       {func(p *x402test.Payment) { p.Payload.Authorization.Value = "0" }, "invalid_exact_evm_payload_authorization_value"},
		"expired":       {func(p *x402test.Payment) { p.Payload.Authorization.ValidBefore = in(-time.Minute) }, "invalid_exact_evm_payload_authorization_valid_before"},
		"expires soon":  {func(p *x402test.Payment) { p.Payload.Authorization.ValidBefore = in(5 * time.Second) }, "invalid_exact_evm_payload_authorization_valid_before"},
		"never valid":   {func(p *x402test.Payment) { p.Payload.Authorization.ValidBefore = "0" }, "invalid_exact_evm_payload_authorization_valid_before"},
		"not yet valid": {func(p *x402test.Payment) { p.Payload.Authorization.ValidAfter = in(time.Minute) }, "invalid_exact_evm_payload_authorization_valid_after"},
		"much later":    {func(p *x402test.Payment) { p.Payload.Authorization.ValidAfter = strings.Repeat("9", 77) }, "invalid_exact_evm_payload_authorization_valid_after"},
	} {
		p := s.pay(20, c.change)
		refused(t, s.verify(p, 20), c.reason)
		if s.asked.Load() != 0 {
			t.Errorf("%s: the facilitator was asked", name)
		}
	}
	// The payment that is settled must be the one that was verified.
	p := s.pay(20, nil)
	if err := s.verify(p, 20); err != nil {
		t.Fatal(err)
	}
	_, err := s.payments.Settle(t.Context(), p, resource, 21)
	refused(t, err, "invalid_exact_evm_payload_authorization_value")
	if s.paid() != 0 {
		t.Error("something was paid")
	}
}

// TestRefusedByTheFacilitator checks payments whose signatures or balances are refused.
func TestRefusedByTheFacilitator(t *testing.T) {
	s := open(t)
	thief, err := x402test.NewPayer()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		units  int64
		change func(*x402test.Payment)
		reason string
	}{
		{"wrong signer", 20, func(p *x402test.Payment) {
			signed, err := thief.Sign(*p, s.requirement(20))
			if err != nil {
				t.Fatal(err)
			}
			*p = signed
		}, "invalid_exact_evm_payload_signature"},
		{"somebody else's money", 20, func(p *x402test.Payment) { p.Payload.Authorization.From = thief.Address() }, "invalid_exact_evm_payload_signature"},
		{"tampered value", 20, func(p *x402test.Payment) { p.Payload.Authorization.Value = "2001" }, "invalid_exact_evm_payload_signature"},
		{"tampered time", 20, func(p *x402test.Payment) { p.Payload.Authorization.ValidBefore = strings.Repeat("9", 77) }, "invalid_exact_evm_payload_signature"},
		{"tampered nonce", 20, func(p *x402test.Payment) { p.Payload.Authorization.Nonce = "0x" + strings.Repeat("0", 64) }, "invalid_exact_evm_payload_signature"},
		{"another token", 20, func(p *x402test.Payment) {
			r := s.requirement(20)
			r.Extra["version"] = "1"
			signed, err := s.payer.Sign(*p, r)
			if err != nil {
				t.Fatal(err)
			}
			*p = signed
		}, "invalid_exact_evm_payload_signature"},
		{"more than there is", 101, nil, "insufficient_funds"},
	} {
		before := s.asked.Load()
		refused(t, s.verify(s.pay(c.units, c.change), c.units), c.reason)
		if s.asked.Load() != before+1 {
			t.Errorf("%s: asked %d times", c.name, s.asked.Load()-before)
		}
	}
	if s.paid() != 0 {
		t.Error("something was paid")
	}
}

func TestMoreThanIsAskedIsTaken(t *testing.T) {
	s := open(t)
	p := s.pay(30, nil)
	if err := s.verify(p, 20); err != nil {
		t.Fatal(err)
	}
	if _, err := s.payments.Settle(t.Context(), p, resource, 20); err != nil || s.paid() != 3000 {
		t.Errorf("%v, %d paid", err, s.paid())
	}
}

func TestReplay(t *testing.T) {
	s := open(t)
	payment, err := s.payer.Pay(s.requirement(20), s.now())
	if err != nil {
		t.Fatal(err)
	}
	first := s.read(payment)
	if err := s.verify(first, 20); err != nil {
		t.Fatal(err)
	}
	asked := s.asked.Load()
	// Spelt otherwise it is the same nonce.
	payment.Payload.Authorization.Nonce = "0X" + strings.ToUpper(payment.Payload.Authorization.Nonce[2:])
	payment.Payload.Authorization.From = strings.ToLower(payment.Payload.Authorization.From)
	second := s.read(payment)
	refused(t, s.verify(second, 20), "nonce_already_used")
	_, err = s.payments.Settle(t.Context(), second, resource, 20)
	refused(t, err, "nonce_already_used")

	s.payments.Release(second) // which never held it
	refused(t, s.verify(second, 20), "nonce_already_used")
	if _, err := s.payments.Settle(t.Context(), first, resource, 20); err != nil {
		t.Fatal(err)
	}
	s.payments.Release(first) // too late
	for _, p := range []*x402.Payment{first, second} {
		refused(t, s.verify(p, 20), "nonce_already_used")
		_, err = s.payments.Settle(t.Context(), p, resource, 20)
		refused(t, err, "nonce_already_used")
	}
	if s.asked.Load() != asked+1 || s.paid() != 2000 {
		t.Errorf("asked %d times more, %d paid", s.asked.Load()-asked, s.paid())
	}
	// Another process, which remembers nothing: the chain does.
	s.payments = x402.New(s.options)
	refused(t, s.verify(s.read(payment), 20), "invalid_transaction_state")
}

func TestReleasedPaymentMayPayForAnother(t *testing.T) {
	s := open(t)
	payment, err := s.payer.Pay(s.requirement(20), s.now())
	if err != nil {
		t.Fatal(err)
	}
	first := s.read(payment)
	if err := s.verify(first, 20); err != nil {
		t.Fatal(err)
	}
	s.payments.Release(first)
	second := s.read(payment)
	if err := s.verify(second, 20); err != nil {
		t.Fatal(err)
	}
	_, err = s.payments.Settle(t.Context(), first, resource, 20)
	refused(t, err, "nonce_already_used")
	if _, err := s.payments.Settle(t.Context(), second, resource, 20); err != nil || s.paid() != 2000 {
		t.Errorf("%v, %d paid", err, s.paid())
	}
}

func TestForgottenPaymentIsLetGo(t *testing.T) {
	s := open(t)
	payment, err := s.payer.Pay(s.requirement(20), s.now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	payment.Payload.Authorization.ValidAfter = "0"
	if payment, err = s.payer.Sign(payment, s.requirement(20)); err != nil {
		t.Fatal(err)
	}
	if err := s.verify(s.read(payment), 20); err != nil {
		t.Fatal(err)
	}
	refused(t, s.verify(s.read(payment), 20), "nonce_already_used")
	s.offset.Store(int64(2*time.Minute + time.Second))
	if err := s.verify(s.read(payment), 20); err != nil {
		t.Error(err)
	}
}

func TestOneNonceAtOnce(t *testing.T) {
	s := open(t)
	payment, err := s.payer.Pay(s.requirement(1), s.now())
	if err != nil {
		t.Fatal(err)
	}
	var served, settles atomic.Int64
	s.instead(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/settle" {
			settles.Add(1)
		}
		time.Sleep(time.Millisecond)
		s.facilitator.ServeHTTP(w, r)
	})
	var all sync.WaitGroup
	for range 50 {
		p := s.read(payment)
		all.Go(func() {
			if s.verify(p, 1) != nil {
				return
			}
			if _, err := s.payments.Settle(context.Background(), p, resource, 1); err == nil {
				served.Add(1)
			}
		})
	}
	all.Wait()
	if served.Load() != 1 || settles.Load() != 1 || s.paid() != price {
		t.Errorf("%d calls served, %d settlements, %d paid", served.Load(), settles.Load(), s.paid())
	}
}

func TestSettlementFails(t *testing.T) {
	s := open(t)
	p, other := s.pay(60, nil), s.pay(60, nil)
	for _, p := range []*x402.Payment{p, other} {
		if err := s.verify(p, 60); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.payments.Settle(t.Context(), other, resource, 60); err != nil {
		t.Fatal(err)
	}
	response, err := s.payments.Settle(t.Context(), p, resource, 60)
	refused(t, err, "insufficient_funds")
	if got := opened(t, response); got["success"] != false || got["errorReason"] != "insufficient_funds" || got["transaction"] != "" || got["payer"] != s.payer.Address() {
		t.Errorf("%v", got)
	}
	// With money the same authorisation is good again.
	s.facilitator.Fund(s.payer.Address(), 6000)
	if err := s.verify(p, 60); err != nil {
		t.Fatal(err)
	}
	if _, err := s.payments.Settle(t.Context(), p, resource, 60); err != nil {
		t.Error(err)
	}
	// And one that expires while the call runs is not taken.
	late := s.pay(1, nil)
	s.facilitator.Fund(s.payer.Address(), 100)
	if err := s.verify(late, 1); err != nil {
		t.Fatal(err)
	}
	s.offset.Store(int64(61 * time.Second))
	_, err = s.payments.Settle(t.Context(), late, resource, 1)
	refused(t, err, "invalid_exact_evm_payload_authorization_valid_before")
}

func TestFacilitatorFails(t *testing.T) {
	s := open(t)
	says := func(status int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(text)) // the other side may have had enough
		}
	}
	for name, answer := range map[string]http.HandlerFunc{
		"500":          says(500, `{"isValid":true,"success":true}`),
		"503":          says(503, `{"isValid":false,"success":false}`),
		"no JSON":      says(200, "<html>"),
		"nothing":      says(200, ""),
		"no verdict":   says(200, `{"payer":"0x"}`),
		"null":         says(200, `null`),
		"list":         says(200, `[]`),
		"null verdict": says(200, `{"isValid":null,"success":null}`),
		"text":         says(200, `{"isValid":"true","success":"true"}`),
		"400 and good": says(400, `{"isValid":true,"success":true}`),
		"404":          says(404, `not found`),
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		},
		"endless":       says(200, `{"isValid":true,"success":true,"payer":"`+strings.Repeat("x", 1<<20)),
		"large":         says(200, `{"isValid":true,"success":true}`+strings.Repeat(" ", 1<<17)),
		"two documents": says(200, `{"isValid":true,"success":true}{}`),
		"hangs up": func(http.ResponseWriter, *http.Request) {
			panic(http.ErrAbortHandler)
		},
	} {
		s.instead(answer)
		payment, err := s.payer.Pay(s.requirement(1), s.now())
		if err != nil {
			t.Fatal(err)
		}
		if err := s.verify(s.read(payment), 1); !fault.Is(err, fault.UpstreamUnavailable) {
			t.Errorf("%s: verify gives %v", name, err)
		}
		s.instead(nil)
		// The payment that could not be verified may be sent again.
		p := s.read(payment)
		if err := s.verify(p, 1); err != nil {
			t.Errorf("%s: then %v", name, err)
		}
		s.instead(answer)
		if response, err := s.payments.Settle(t.Context(), p, resource, 1); !fault.Is(err, fault.UpstreamUnavailable) || response != "" {
			t.Errorf("%s: settle gives %q, %v", name, response, err)
		}
		// Whether it was settled is not known: it is not used again.
		s.instead(nil)
		refused(t, s.verify(p, 1), "nonce_already_used")
	}
	if s.paid() != 0 {
		t.Errorf("%d paid", s.paid())
	}

	s.instead(says(400, `{"isValid":false,"invalidReason":"insufficient_funds","success":false,"errorReason":"insufficient_funds"}`))
	p := s.pay(1, nil)
	refused(t, s.verify(p, 1), "insufficient_funds")
	_, err := s.payments.Settle(t.Context(), p, resource, 1)
	refused(t, err, "insufficient_funds")
	for _, reason := range []string{"", "<script>", "with space", "line\\nfeed", strings.Repeat("x", 200)} {
		s.instead(says(200, `{"isValid":false,"invalidReason":"`+reason+`","success":false,"errorReason":"`+reason+`"}`))
		refused(t, s.verify(p, 1), "unexpected_verify_error")
		_, err := s.payments.Settle(t.Context(), p, resource, 1)
		refused(t, err, "unexpected_settle_error")
	}
	s.instead(says(200, `{"isValid":true,"payer":"`+payTo+`"}`))
	refused(t, s.verify(p, 1), "unexpected_verify_error")
}

func TestFacilitatorIsAway(t *testing.T) {
	s := open(t)
	p := s.pay(1, nil)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	o := s.options
	o.Facilitator = gone.URL
	if err := x402.New(o).Verify(t.Context(), p, resource, 1); !fault.Is(err, fault.UpstreamUnavailable) || strings.Contains(detail(err), gone.URL) {
		t.Errorf("%v", err)
	}

	ctx, up := waittest.Timed(t.Context())
	left := make(chan struct{})
	s.instead(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = http.MaxBytesReader(nil, r.Body, 1<<20).Read(make([]byte, 1<<20)) // so that the server sees the client leave
		up()
		<-r.Context().Done()
		close(left)
	})
	if err := s.payments.Verify(ctx, p, resource, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	<-left
}

// detail returns the text of a failure that a caller reads.
func detail(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Detail
	}
	return ""
}

func TestCheckOptions(t *testing.T) {
	good := open(t).options
	for name, spoil := range map[string]func(*x402.Options){
		"facilitator": func(o *x402.Options) { o.Facilitator = "facilitator.example" },
		"scheme":      func(o *x402.Options) { o.Facilitator = "ftp://facilitator.example" },
		"asset":       func(o *x402.Options) { o.Asset = "0x12" },
		"payee":       func(o *x402.Options) { o.PayTo = payTo[:41] + "g" },
		"no payee":    func(o *x402.Options) { o.PayTo = "" },
		"network":     func(o *x402.Options) { o.Network = "" },
		"name":        func(o *x402.Options) { o.AssetName = "" },
		"version":     func(o *x402.Options) { o.AssetVer = "" },
		"price":       func(o *x402.Options) { o.UnitPrice = -1 },
	} {
		o := good
		spoil(&o)
		if o.Check() == nil {
			t.Errorf("%s: %+v is good", name, o)
		}
	}
	if err := (x402.Options{}).Check(); err != nil {
		t.Error(err)
	}
}
