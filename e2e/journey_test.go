package e2e

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/account/stripe/stripetest"
	"github.com/waygate/waygate/outbox/outboxtest"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

// TestJourney goes all the way of one person: from the first key over the
// quota to bought credit, with an operator who sees it and ends it.
func TestJourney(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		newJourney(t, 1, storetest.SQLite(t)).travel(t)
	})
	t.Run("two replicas on postgres and redis", func(t *testing.T) {
		t.Parallel()
		newJourney(t, 2, storetest.PostgreSQL(t), "SVC_REDIS_URL="+storetest.Redis(t)).travel(t)
	})
}

// journey is a deployment and who travels through it.
type journey struct {
	*balancer
	replicas []*gateway
	database string
	mails    *outboxtest.Server
	ears     *ears
	who      member
	session  string
	secrets  []string // what no log and no table may hold
	units    int64    // that were charged
}

const smtpPassword = "open-sesame"

func newJourney(t *testing.T, replicas int, database string, more ...string) *journey {
	j := &journey{
		balancer: balance(t), database: database, ears: listen(t), secrets: []string{adminToken, smtpPassword},
		mails: outboxtest.Start(t, outboxtest.Options{User: "waygate", Password: smtpPassword, TLS: outboxtest.StartTLS}),
		who:   member{email: "ada@waygate-test.org"},
	}
	env := accounts(database, j.mails, append(more, "SSL_CERT_FILE="+j.mails.CertFile(t), "SVC_STRIPE_API="+stripeMock(t),
		"SVC_BASE_URL="+j.url, "SVC_TRUSTED_PROXIES=127.0.0.0/8", "SVC_WEBHOOKS_PRIVATE=true")...)
	for range replicas {
		j.replicas = append(j.replicas, start(t, env, "serve", "--region", countyDir(t)))
	}
	j.between(t, j.replicas)
	return j
}

func (j *journey) travel(t *testing.T) {
	j.signUp(t)
	j.call(t)
	j.reachQuota(t)
	j.signIn(t)
	j.buy(t)
	j.figures(t)
	j.end(t)
	j.keepSecrets(t)
}

// everywhere waits until the key stands so at every replica.
func (j *journey) everywhere(t *testing.T, what string, holds func(standing) bool) {
	t.Helper()
	for _, g := range j.replicas {
		waittest.Until(t, what, func() bool { return holds(self(t, g, j.who.key)) })
	}
}

// signUp gets a key and verifies it by the mail's link.
func (j *journey) signUp(t *testing.T) {
	k := reply[issued](t, j.gateway, 201, http.MethodPost, "/v1/keys", "", fields{"email": "Ada@Waygate-Test.org", "accept_tos": true, "label": "Engine No. 2", "source": "journey"})
	if k.State != "provisional" || k.MonthlyQuota != 1000 || k.ExpiresAt == nil || !strings.HasPrefix(k.ClaimURL, j.url+"/console/claim#") {
		t.Errorf("issued %+v", k)
	}
	j.who.key, j.who.keyID = k.Key, k.KeyID
	_, claim, _ := strings.Cut(k.ClaimURL, "#")

	mail := mailTo(t, j.mails, j.who.email)
	link := mail.Link()
	if !strings.HasPrefix(link, j.url+"/v1/keys/verify?token=") || !strings.Contains(mail.HTML, link) {
		t.Fatalf("the mail's link is %q", link)
	}
	token := linkToken(t, link)
	j.secrets = append(j.secrets, k.Key, claim, token)

	page := j.get(t, strings.TrimPrefix(link, j.url), "Accept: text/html").ok(t)
	if !strings.HasPrefix(page.header.Get("Content-Type"), "text/html") || !strings.Contains(string(page.body), "<title>") {
		t.Errorf("the page of the link: %s", page)
	}
	type verification struct {
		Label, State, Source string
		MaskedEmail          string `json:"masked_email"`
		UserAgent            string `json:"user_agent"`
	}
	details := reply[verification](t, j.gateway, 200, http.MethodPost, "/v1/keys/verify/details", "", fields{"token": token})
	if details.State != "pending" || details.Label != "Engine No. 2" || details.Source != "journey" || strings.Contains(details.MaskedEmail, "ada") || details.UserAgent == "" {
		t.Errorf("details %+v", details)
	}
	j.everywhere(t, "looking at a link changes nothing", func(s standing) bool { return s.State == "provisional" })
	if details = reply[verification](t, j.gateway, 200, http.MethodPost, "/v1/keys/verify", "", fields{"token": token}); details.State != "verified" {
		t.Errorf("confirmed %+v", details)
	}
	j.everywhere(t, "the key is verified", func(s standing) bool {
		return s.State == "verified" && s.MonthlyQuota == 50_000 && s.ExpiresAt == nil
	})
	j.who.identity = identityOf(t, j.gateway, j.who.email).Identity.ID
}

// drive asks for a route with the key, of a lorry or a car, which must be
// answered with a status.
func (j *journey) drive(t *testing.T, costing string, want int) *answer {
	t.Helper()
	a := j.send(t, http.MethodPost, "/route", body(`"costing":"`+costing+`"`), "Content-Type: application/json", bearer(j.who.key))
	if a.status != want {
		t.Fatalf("%s: want %d: %s", costing, want, a)
	}
	if want == 200 {
		units := map[string]int64{"auto": 1, "truck": 20}[costing]
		if got := a.header.Get("X-Svc-Quota-Units"); got != fmt.Sprint(units) {
			t.Errorf("%s costs %s units", costing, got)
		}
		j.units += units
	}
	return a
}

// counted waits until all that was charged is reported.
func (j *journey) counted(t *testing.T) {
	t.Helper()
	waittest.Until(t, fmt.Sprintf("GET /v1/usage tells %d units", j.units), func() bool {
		u := usageOf(t, j.gateway, j.who.key)
		_, sum := u.total()
		return sum == j.units && u.Totals.Units == j.units
	})
	for _, g := range j.replicas {
		waittest.Until(t, fmt.Sprintf("a replica knows of %d units", j.units), func() bool { return self(t, g, j.who.key).Used == j.units })
	}
}

// call makes calls and sees usage move.
func (j *journey) call(t *testing.T) {
	j.drive(t, "auto", 200)
	j.drive(t, "truck", 200)
	j.counted(t)
	var rows []usageRow
	for _, d := range usageOf(t, j.gateway, j.who.key).Days {
		rows = append(rows, d.Endpoints...)
	}
	if want := []usageRow{{"POST /route", "premium", 1, 20}, {"POST /route", "standard", 1, 1}}; !slices.Equal(rows, want) {
		t.Errorf("usage %+v, want %+v", rows, want)
	}
	j.everywhere(t, "the first success is noted", func(s standing) bool { return s.FirstSuccessAt != nil && s.Remaining == 50_000-j.units })
	// A call that fails costs nothing.
	j.send(t, http.MethodPost, "/route", `{}`, bearer(j.who.key)).refused(t, 400, "bad-request")
}

// reachQuota lowers the quota and uses it up.
func (j *journey) reachQuota(t *testing.T) {
	j.ears.secret = reply[struct{ Secret string }](t, j.gateway, 200, http.MethodPost, "/v1/keys/self/webhook-secret", j.who.key, fields{"url": j.ears.url}).Secret
	j.secrets = append(j.secrets, j.ears.secret)
	type setting struct {
		MonthlyQuota int64 `json:"monthly_quota"`
		Duplicate    bool
	}
	for _, want := range []setting{{30, false}, {30, true}} {
		if got := reply[setting](t, j.gateway, 200, http.MethodPost, "/admin/identities/"+j.who.email+"/quota", adminToken, fields{"monthly_quota": 30, "reason": "a trial"}); got != want {
			t.Errorf("the quota: %+v, want %+v", got, want)
		}
	}
	j.everywhere(t, "the quota is lowered", func(s standing) bool { return s.MonthlyQuota == 30 })

	for range 3 {
		j.drive(t, "auto", 200)
	}
	j.notified(t, 80)
	// A lorry would need 20 units of the 6 that are left.
	j.cutOff(t, "truck", 0)
	for range 6 {
		j.drive(t, "auto", 200)
	}
	j.notified(t, 100)
	j.counted(t)
	for range j.replicas {
		j.cutOff(t, "auto", 0)
	}
	j.counted(t) // refusals cost nothing
}

// notified waits for the notice of a threshold, by mail and by webhook.
func (j *journey) notified(t *testing.T, percent int) {
	t.Helper()
	mail := mailTo(t, j.mails, j.who.email)
	if mail.Link() != j.url+"/console" || mail.HTML == "" || !strings.Contains(mail.Text, fmt.Sprintf("used %d units", j.units)) {
		t.Errorf("the mail at %d per cent:\n%s", percent, mail.Text)
	}
	got := j.ears.next(t)
	if got.Type != "quota.threshold" || got.Data.Percent != percent || got.Data.Used != j.units || got.Data.Quota != 30 || got.Data.Email != j.who.email {
		t.Errorf("the webhook at %d per cent: %+v", percent, got)
	}
}

// cutOff makes a call that quota and credit do not pay for.
func (j *journey) cutOff(t *testing.T, costing string, millipence float64) {
	t.Helper()
	a := j.drive(t, costing, 402)
	var got fields
	a.into(t, &got)
	if len(got) != 3 || got["code"] != "payment_required" || got["balance_millipence"] != millipence || got["upgrade"] != j.url+"/console" || a.header.Get("Content-Type") != "application/json" {
		t.Errorf("cut off with %s", a)
	}
}

// account is GET /v1/console/self.
type account struct {
	Email         string
	Balance       int64 `json:"balance_millipence"`
	BalancePence  int64 `json:"balance_pence"`
	UsedThisMonth int64 `json:"used_this_month"`
	MonthlyQuota  int64 `json:"monthly_quota"`
	Checkout      bool
	History       []entry
	Keys          []struct {
		KeyID string `json:"key_id"`
		State string
	}
}

func (j *journey) console(t *testing.T) account {
	t.Helper()
	return reply[account](t, j.gateway, 200, http.MethodGet, "/v1/console/self", j.session, nil)
}

// signIn opens the console by the link of a mail, which works once.
func (j *journey) signIn(t *testing.T) {
	reply[fields](t, j.gateway, 202, http.MethodPost, "/v1/console/signin", "", fields{"email": j.who.email})
	link := mailTo(t, j.mails, j.who.email).Link()
	if !strings.HasPrefix(link, j.url+"/console#signin=") {
		t.Fatalf("the sign-in link is %q", link)
	}
	token := linkToken(t, link)
	j.session = reply[struct{ Session string }](t, j.gateway, 201, http.MethodPost, "/v1/console/session", "", fields{"token": token}).Session
	j.secrets = append(j.secrets, token, j.session)
	reply[fields](t, j.gateway, 401, http.MethodPost, "/v1/console/session", "", fields{"token": token})

	me := j.console(t)
	if me.Email != j.who.email || me.UsedThisMonth != j.units || me.MonthlyQuota != 30 || me.Balance != 0 || !me.Checkout || len(me.History) != 0 ||
		len(me.Keys) != 1 || me.Keys[0].KeyID != j.who.keyID || me.Keys[0].State != "verified" {
		t.Errorf("the console shows %+v", me)
	}
	if u := reply[usage](t, j.gateway, 200, http.MethodGet, "/v1/console/usage", j.session, nil); u.Totals.Units != j.units {
		t.Errorf("the console's usage %+v, want %d units", u, j.units)
	}
}

// buy buys credit and goes on.
func (j *journey) buy(t *testing.T) {
	const pence = 500
	to := reply[struct{ URL string }](t, j.gateway, 200, http.MethodPost, "/v1/console/checkout", j.session, fields{"pence": pence}).URL
	if !strings.HasPrefix(to, "https://") {
		t.Errorf("the checkout is at %q", to)
	}
	paid := stripetest.Event{ID: "evt_journey", Type: "checkout.session.completed", Object: stripetest.Session("cs_test_journey", j.who.identity, pence)}
	forged := paid.Body(t)
	j.send(t, http.MethodPost, "/v1/stripe/webhook", string(forged), "Stripe-Signature: "+stripetest.Sign(forged, "whsec_guessed", paid.Created)).refused(t, 400, "bad-request")
	if me := j.console(t); me.Balance != 0 {
		t.Fatalf("a forged event paid: %+v", me)
	}
	for range 2 { // events come twice at times
		webhook(t, j.gateway, paid).ok(t)
	}
	if me := j.console(t); me.Balance != pence*1000 || me.BalancePence != pence {
		t.Fatalf("paid %d pence: %+v", pence, me)
	}
	j.everywhere(t, "the credit is there", func(s standing) bool { return s.Credits == pence*1000 })

	before := j.units
	for range 4 {
		j.drive(t, "auto", 200)
	}
	j.drive(t, "truck", 200)
	j.counted(t)
	want := pence*1000 - (j.units-before)*unitPrice
	if me := j.console(t); me.Balance != want {
		t.Errorf("the balance is %d millipence after %d units of %d, want %d", me.Balance, j.units-before, unitPrice, want)
	}
}

// figures checks the figures that the operator sees.
func (j *journey) figures(t *testing.T) {
	d, me := identityOf(t, j.gateway, j.who.email), j.console(t)
	credited, used := adds(t, d.History, me.Balance)
	if adds(t, me.History, me.Balance); !slices.Equal(d.History, me.History) || d.History[len(d.History)-1].After != me.Balance {
		t.Errorf("the operator's history %+v, the owner's %+v", d.History, me.History)
	}
	if credited != 500_000 || used != 500_000-me.Balance || d.History[0].Source != "stripe" {
		t.Errorf("credited %d, used %d millipence", credited, used)
	}
	if d.BalancePence != me.BalancePence || d.Credited != 500 || d.MonthUsed != j.units || d.MonthlyQuota != 30 || d.MAU != 1 || len(d.Keys) != 1 || d.Customer == nil {
		t.Errorf("the operator sees %+v", d)
	}
	list := reply[struct {
		Total      int
		Identities []struct {
			Email string
			Used  int64 `json:"month_used"`
		}
	}](t, j.gateway, 200, http.MethodGet, "/admin/identities", adminToken, nil)
	if list.Total != 1 || list.Identities[0].Email != j.who.email || list.Identities[0].Used != j.units {
		t.Errorf("identities %+v", list)
	}
	for path, want := range map[string]map[string]float64{
		"/admin/overview": {
			"abuse.issuances_today": 1, "abuse.distinct_ips_today": 1, "activation.signups": 1, "activation.converted": 1,
			"credit.balance_pence": float64(me.BalancePence), "credit.credited_total_pence": 500, "credit.consumed_pence": float64(500 - me.BalancePence),
			"identities.total": 1, "identities.by_source.0.count": 1, "plans.0.count": 1, "top_endpoints.0.count": 16,
		},
		"/admin/commercial": {
			"revenue.all_time.pence": 500, "revenue.all_time.payments": 1, "revenue.stripe_customers": 1, "funnel.identities": 1, "funnel.activated_keys": 1,
			"funnel.paid_identities": 1, "usage_mix.standard": 14, "usage_mix.premium": 2, "usage_mix.total": 16, "demo_lane.calls": 0,
			"prepaid.all_time.sold_pence": 500, "prepaid.all_time.consumed_pence": 0, "prepaid.outstanding_pence": float64(me.BalancePence),
		},
	} {
		got := reply[any](t, j.gateway, 200, http.MethodGet, path, adminToken, nil)
		for name, want := range want {
			if found := dig(got, name); found != want {
				t.Errorf("%s of %s is %v, want %v", name, path, found, want)
			}
		}
	}
}

// dig finds a member of a JSON value by the names on the way.
func dig(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		switch in := v.(type) {
		case fields:
			v = in[name]
		case []any:
			var i int
			if _, err := fmt.Sscan(name, &i); err != nil || i >= len(in) {
				return nil
			}
			v = in[i]
		default:
			return nil
		}
	}
	return v
}

// end has the operator revoke the key, and the person sign out.
func (j *journey) end(t *testing.T) {
	k := reply[struct {
		RevokedAt *string `json:"revoked_at"`
	}](t, j.gateway, 200, http.MethodDelete, "/admin/keys/"+j.who.keyID, adminToken, nil)
	if k.RevokedAt == nil {
		t.Error("the key is not revoked")
	}
	for _, g := range j.replicas {
		waittest.Until(t, "the key is refused", func() bool {
			return g.get(t, "/v1/keys/self", bearer(j.who.key)).status == http.StatusUnauthorized
		})
	}
	for range j.replicas {
		p := j.drive(t, "auto", 401).refused(t, 401, "unauthorized")
		if !strings.Contains(p.Detail, "revoked") {
			t.Errorf("the refusal does not say why: %s", p.Detail)
		}
	}
	reply[any](t, j.gateway, 204, http.MethodDelete, "/v1/console/session", j.session, nil)
	reply[any](t, j.gateway, 401, http.MethodGet, "/v1/console/self", j.session, nil)
}

// keepSecrets looks for secrets in what was logged and what is kept.
func (j *journey) keepSecrets(t *testing.T) {
	kept := map[string]string{}
	for i, g := range j.replicas {
		if err := g.stop(); err != nil {
			t.Error(err)
		}
		kept[fmt.Sprintf("log %d", i)] = g.log.String()
	}
	db := storetest.Open(t, j.database)
	kept["database"] = storetest.Dump(t, db, "identities", "keys", "links", "sessions", "salts", "entries", "usage_days", "deliveries")
	for where, text := range kept {
		if len(text) < 100 {
			t.Errorf("the %s is %q", where, text)
		}
		for i, secret := range j.secrets {
			signing := secret == j.ears.secret && where == "database" // the server signs with it
			if len(secret) < 8 || strings.Contains(text, secret) && !signing {
				t.Errorf("secret %d is in the %s", i, where)
			}
		}
	}
}

// ears take webhooks.
type ears struct {
	url, secret string
	heard       chan heard
}

// heard is a webhook as it came.
type heard struct {
	id, timestamp, signature string
	body                     []byte
}

func heardOf(r *http.Request) heard {
	body, _ := io.ReadAll(r.Body)
	return heard{r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp"), r.Header.Get("webhook-signature"), body}
}

// signed checks the signature as Standard Webhooks has it.
func (h *heard) signed(t *testing.T, secret string) {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	mac := hmac.New(sha256.New, key)
	_, _ = fmt.Fprintf(mac, "%s.%s.%s", h.id, h.timestamp, h.body)
	if want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)); h.signature != want {
		t.Errorf("the signature is %q, want %q", h.signature, want)
	}
}

// notice is the event quota.threshold.
type notice struct {
	Type string
	Data struct {
		Email   string
		Percent int
		Used    int64
		Quota   int64 `json:"monthly_quota"`
	}
}

func listen(t *testing.T) *ears {
	e := &ears{heard: make(chan heard, 100)}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		e.heard <- heardOf(r)
	}))
	t.Cleanup(server.Close)
	e.url = server.URL
	return e
}

// next waits for a webhook and checks its signature.
func (e *ears) next(t *testing.T) (n notice) {
	t.Helper()
	var h heard
	waittest.Until(t, "a webhook comes", func() bool {
		select {
		case h = <-e.heard:
			return true
		default:
			return false
		}
	})
	h.signed(t, e.secret)
	if err := json.Unmarshal(h.body, &n); err != nil {
		t.Fatal(err)
	}
	return n
}
