package api

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/jobs"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/account/notice"
	"github.com/waygate/waygate/account/overview"
	"github.com/waygate/waygate/account/stripe"
	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/dispatch"
	"github.com/waygate/waygate/feature/feedback"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/places"
	"github.com/waygate/waygate/feature/styles"
	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/world"
)

// pending are rows of the contract that are not built yet. A row that is
// built must leave this list.
const pending = `

`

// table returns an edge that nobody works behind.
func table(t *testing.T) *edge.Edge {
	t.Helper()
	e, err := New(Options{
		Server: Server{Acquire: func() (*world.World, func()) { return nil, func() {} }},
		AccountServices: AccountServices{
			Gate: new(meter.Gate), Accounts: new(account.Accounts), Overview: new(overview.Overview), Notices: new(notice.Notices), Billing: new(stripe.Billing), Payments: new(x402.Payments),
		},
		CallerServices: CallerServices{Feedback: new(feedback.Service), Styles: new(styles.Service), Places: new(places.Service), Selections: new(geocode.Selections), Dispatch: new(dispatch.Service)},
		PlanServices:   PlanServices{Queue: new(job.Queue), Jobs: new(jobs.Jobs)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestRowsAreTheContract(t *testing.T) {
	contract := contractRows(t)
	waiting := map[string]bool{}
	for name := range strings.Lines(strings.TrimSpace(pending)) {
		waiting[strings.TrimSpace(name)] = true
	}
	built := map[string]bool{}
	for _, r := range table(t).Rows() {
		built[r.Label()] = true
		want, ok := contract[r.Label()]
		switch {
		case (r.Operational || r.BeyondContract) && ok:
			t.Errorf("%s is of the contract, not beyond it", r.Label())
		case r.Operational || r.BeyondContract:
		case !ok:
			t.Errorf("%s is not in the contract", r.Label())
		case want != contractRow{string(r.Auth), string(r.Class), r.Maps}:
			t.Errorf("%s: auth %s, class %s, maps %v; the contract has %+v", r.Label(), r.Auth, r.Class, r.Maps, want)
		}
		if described := r.Doc.Summary != "" && len(r.Doc.Tags) == 1; described == r.Operational {
			t.Errorf("%s: described %v, operational %v", r.Label(), described, r.Operational)
		}
		if waiting[r.Label()] {
			t.Errorf("%s is built and still pending", r.Label())
		}
	}
	for name := range contract {
		if !built[name] && !waiting[name] {
			t.Errorf("%s is neither built nor pending", name)
		}
	}
	for name := range waiting {
		if _, ok := contract[name]; !ok {
			t.Errorf("%s is pending and not in the contract", name)
		}
	}
}

// TestStrangersAreLimited checks that a public endpoint which writes or looks a
// token up is limited by client network, on its own or in the demo lane, but for the
// one that is signed.
func TestStrangersAreLimited(t *testing.T) {
	for _, r := range table(t).Rows() {
		writes := r.Auth == edge.Public && (r.Method != http.MethodGet || strings.Contains(r.Path, "{token}"))
		if signed := r.Path == "/v1/stripe/webhook"; writes && (r.Account || r.Keyless) == signed {
			t.Errorf("%s: writes or looks a token up, account %v", r.Label(), r.Account)
		}
	}
}

type contractRow struct {
	auth, class string
	maps        bool
}

func contractRows(t *testing.T) map[string]contractRow {
	t.Helper()
	f, err := os.Open(realdata.Beside(t, "contract/endpoints.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, -1
	all, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]contractRow{}
	for _, c := range all[1:] {
		row := contractRow{auth: c[2], maps: c[3] == "yes", class: c[4]}
		if row.class == "see note 2" {
			row.class = "free" // of GET /geocode/selection, which the contract names and does not describe
		}
		rows[c[0]+" "+c[1]] = row
	}
	if len(rows) < 100 {
		t.Fatalf("only %d rows in the contract", len(rows))
	}
	return rows
}

func TestDocumentHasEveryRow(t *testing.T) {
	e := table(t)
	var document struct {
		Paths map[string]map[string]any
	}
	if err := json.Unmarshal(e.Document(), &document); err != nil {
		t.Fatal(err)
	}
	for _, r := range e.Rows() {
		if _, listed := document.Paths[r.Path][strings.ToLower(r.Method)]; listed == r.Operational {
			t.Errorf("%s: in the document %v, operational %v", r.Label(), listed, r.Operational)
		}
	}
}
