package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/account/stripe/stripetest"
	"github.com/waygate/waygate/outbox/outboxtest"
)

// Settings of gateways with accounts in these tests. Of the plan on offer, a
// month's quota is one unit, so that every call but one is paid from credit,
// and its rate stands in nobody's way.
const (
	adminToken    = "operators-of-the-tests"
	stripeSecret  = "whsec_of-the-tests"
	busyPrice     = "price_busy"
	unitPrice     = 7 // millipence
	busyPlan      = "SVC_PLANS=busy=" + busyPrice + ":1:1000000:900"
	unlimitedRate = 1_000_000
)

// accounts returns the settings of a gateway with accounts on a database, mails
// and payments; more are further ones.
func accounts(database string, mails *outboxtest.Server, more ...string) []string {
	return append([]string{
		"SVC_DATABASE_URL=" + database, "SVC_SMTP_URL=" + mails.URL(), "SVC_ADMIN_TOKEN=" + adminToken,
		"SVC_STRIPE_KEY=" + stripetest.Key, "SVC_STRIPE_WEBHOOK_SECRET=" + stripeSecret, busyPlan,
		fmt.Sprintf("SVC_UNIT_PRICE=%d", unitPrice),
	}, more...)
}

func bearer(token string) string { return "Authorization: Bearer " + token }

// stripeMock returns the address of a running stripe-mock.
func stripeMock(t *testing.T) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(root, ".tools", "stripe-mock-v*"))
	if err != nil || len(found) == 0 && os.Getenv("CI") == "true" {
		t.Fatalf("stripe-mock is missing: make test builds it (%v)", err)
	}
	return stripetest.Start(t)
}

// reply sends v as JSON, nothing where it is nil, and reads the answer, which
// must have the status want, into a T.
func reply[T any](t testing.TB, g *gateway, want int, method, path, token string, v any) (out T) {
	t.Helper()
	body := ""
	if v != nil {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		body = string(text)
	}
	header := []string{"Content-Type: application/json"}
	if token != "" {
		header = append(header, bearer(token))
	}
	a := g.send(t, method, path, body, header...)
	if a.status != want {
		t.Fatalf("%s %s: want %d: %s", method, path, want, a)
	}
	if len(a.body) > 0 {
		a.into(t, &out)
	}
	return out
}

// fields are the members of a JSON object.
type fields = map[string]any

// member is a person with a verified key.
type member struct{ email, key, keyID, identity string }

type issued struct {
	Key          string
	KeyID        string `json:"key_id"`
	State        string
	MonthlyQuota int64   `json:"monthly_quota"`
	ExpiresAt    *string `json:"expires_at"`
	ClaimURL     string  `json:"claim_url"`
}

// join gets a key for an address, and verifies it by the mail's link.
func join(t *testing.T, g *gateway, mails *outboxtest.Server, email string) *member {
	t.Helper()
	k := reply[issued](t, g, 201, http.MethodPost, "/v1/keys", "", fields{"email": email, "accept_tos": true})
	reply[fields](t, g, 200, http.MethodPost, "/v1/keys/verify", "", fields{"token": linkToken(t, mailTo(t, mails, email).Link())})
	return &member{email: email, key: k.Key, keyID: k.KeyID, identity: identityOf(t, g, email).Identity.ID}
}

// subscribe has the payment processor tell that an identity has the busy plan.
func subscribe(t *testing.T, g *gateway, m *member) {
	t.Helper()
	event := stripetest.Event{ID: "evt_" + m.identity, Type: "customer.subscription.created", Object: stripetest.Subscription("sub_"+m.identity, m.identity, "active", busyPrice)}
	webhook(t, g, event).ok(t)
}

// webhook sends an event signed, as the payment processor does.
func webhook(t *testing.T, g *gateway, e stripetest.Event) *answer {
	t.Helper()
	body := e.Body(t)
	return g.send(t, http.MethodPost, "/v1/stripe/webhook", string(body), "Content-Type: application/json", "Stripe-Signature: "+stripetest.Sign(body, stripeSecret, time.Time{}))
}

// mailTo waits for the next mail, which must be to an address.
func mailTo(t *testing.T, mails *outboxtest.Server, email string) outboxtest.Message {
	t.Helper()
	m := mails.Next(t)
	if len(m.To) != 1 || m.To[0] != email {
		t.Fatalf("a mail to %v, want %s", m.To, email)
	}
	return m.Message(t)
}

// linkToken returns the token in a link of a mail: of the query, or of the fragment.
func linkToken(t *testing.T, link string) string {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	token := u.Query().Get("token")
	if _, fragment, ok := strings.Cut(u.Fragment, "="); ok {
		token = fragment
	}
	if len(token) < 40 {
		t.Fatalf("no token in the link %q", link)
	}
	return token
}

// mint has the operator make a key without an identity.
func mint(t testing.TB, g *gateway, quota, perMinute int64) (key, id string) {
	t.Helper()
	made := reply[struct{ ID, Key string }](t, g, 201, http.MethodPost, "/admin/keys", adminToken, fields{"name": t.Name(), "monthly_quota": quota, "rate_per_min": perMinute})
	return made.Key, made.ID
}

// credit has the operator give an identity credit.
func credit(t *testing.T, g *gateway, m *member, pence int64, reason string) {
	t.Helper()
	reply[fields](t, g, 200, http.MethodPost, "/admin/identities/credit", adminToken, fields{"email": m.email, "pence": pence, "reason": reason})
}

// standing is GET /v1/keys/self.
type standing struct {
	KeyID          string `json:"key_id"`
	State          string
	MonthlyQuota   int64   `json:"monthly_quota"`
	Used           int64   `json:"used_this_month"`
	Remaining      int64   `json:"remaining"`
	Credits        int64   `json:"credits_millipence"`
	FirstSuccessAt *string `json:"first_success_at"`
	ExpiresAt      *string `json:"expires_at"`
}

func self(t testing.TB, g *gateway, key string) standing {
	t.Helper()
	return reply[standing](t, g, 200, http.MethodGet, "/v1/keys/self", key, nil)
}

// usage is GET /v1/usage and its like.
type usage struct {
	Days []struct {
		Units     int64 `json:"total_units"`
		Endpoints []usageRow
	}
	Totals struct{ Calls, Units int64 }
}

type usageRow struct {
	Endpoint, Class string
	Calls, Units    int64
}

// total sums the days anew.
func (u usage) total() (calls, units int64) {
	for _, d := range u.Days {
		for _, e := range d.Endpoints {
			calls, units = calls+e.Calls, units+e.Units
		}
	}
	return calls, units
}

func usageOf(t *testing.T, g *gateway, key string) usage {
	t.Helper()
	return reply[usage](t, g, 200, http.MethodGet, "/v1/usage", key, nil)
}

// entry is one of the history of credit.
type entry struct {
	Kind, Reason, Source string
	Millipence           int64
	After                int64 `json:"balance_after_millipence"`
}

// detail is GET /admin/identities/{email}.
type detail struct {
	Identity     struct{ ID, Email string }
	BalancePence int64 `json:"balance_pence"`
	Credited     int64 `json:"credited_total_pence"`
	History      []entry
	Keys         []struct {
		ID, State string
		RevokedAt *string `json:"revoked_at"`
	}
	MonthUsed    int64 `json:"month_used"`
	MonthlyQuota int64 `json:"monthly_quota"`
	MAU          int64 `json:"mau_this_month"`
	Plan         string
	Customer     *string `json:"stripe_customer_id"`
}

func identityOf(t *testing.T, g *gateway, email string) detail {
	t.Helper()
	return reply[detail](t, g, 200, http.MethodGet, "/admin/identities/"+url.PathEscape(email), adminToken, nil)
}

// adds fails the test unless a history of credit sums to a balance at every
// line, and gives what was credited and what was used.
func adds(t *testing.T, history []entry, balance int64) (credited, used int64) {
	t.Helper()
	var sum int64
	for _, e := range history {
		sum += e.Millipence
		switch {
		case e.Kind == "credit" && e.Millipence > 0:
			credited += e.Millipence
		case e.Kind == "usage" && e.Millipence < 0:
			used -= e.Millipence
		default:
			t.Errorf("an entry that is neither: %+v", e)
		}
	}
	if sum != balance {
		t.Errorf("the entries sum to %d, and the balance is %d millipence: %+v", sum, balance, history)
	}
	return credited, used
}
