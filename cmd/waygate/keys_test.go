package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/schema"
	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// shell runs waygate keys with arguments on a database.
func shell(t *testing.T, address string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	t.Setenv("SVC_DATABASE_URL", address)
	var out, errors bytes.Buffer
	var c commands
	app, err := kong.New(&c, kong.Name("waygate"), kong.Writers(&out, &errors), kong.BindTo(t.Context(), (*context.Context)(nil)))
	if err != nil {
		t.Fatal(err)
	}
	line, err := app.Parse(append([]string{"keys"}, args...))
	if err == nil {
		err = line.Run()
	}
	return out.String(), errors.String(), err
}

// said runs a command that must work and returns what it prints to stdout.
func said(t *testing.T, address string, args ...string) string {
	t.Helper()
	out, _, err := shell(t, address, args...)
	if err != nil {
		t.Fatalf("keys %v: %v", args, err)
	}
	return out
}

// refusedBy checks the message of a command that must fail, and that it did nothing.
func refusedBy(t *testing.T, address string, args ...string) string {
	t.Helper()
	out, _, err := shell(t, address, args...)
	if err == nil || out != "" {
		t.Fatalf("keys %v is taken: %s", args, out)
	}
	return err.Error()
}

type listed struct {
	ID, Name, State, Scope string
	Key                    string
	AllowedOrigins         []string   `json:"allowed_origins"`
	MonthlyQuota           int64      `json:"monthly_quota"`
	RatePerMin             int64      `json:"rate_per_min"`
	RevokedAt              *time.Time `json:"revoked_at"`
}

func parse[T any](t *testing.T, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

// A key that the shell mints is listed without its secret, and revoked once.
func TestKeysFromTheShell(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		out, note, err := shell(t, address, "mint", "night batch")
		secret := strings.TrimSpace(out)
		if err != nil || !account.Plausible(secret) || !strings.Contains(note, "cannot be shown again") || strings.Contains(note, secret) {
			t.Fatalf("%q %q %v", out, note, err)
		}
		made := parse[listed](t, said(t, address, "mint", "browser", "--quota", "7", "--rate=3", "--origin", "HTTPS://*.example.com:443", "--origin=http://localhost:3000", "--scope", "maps", "--json"))
		if !account.Plausible(made.Key) || made.MonthlyQuota != 7 || made.RatePerMin != 3 || made.Scope != "maps" || made.State != "admin" ||
			strings.Join(made.AllowedOrigins, " ") != "https://*.example.com http://localhost:3000" {
			t.Errorf("%+v", made)
		}
		text := said(t, address, "list", "--json")
		all := parse[[]listed](t, text)
		if len(all) != 2 || strings.Contains(text, secret) || strings.Contains(text, made.Key) {
			t.Fatalf("%s", text)
		}
		var first listed
		for _, k := range all {
			if k.ID != made.ID {
				first = k
			}
		}
		if first.Name != "night batch" || first.MonthlyQuota != 50_000 || first.RatePerMin != 60 || first.Scope != "full" || first.AllowedOrigins == nil || first.RevokedAt != nil {
			t.Errorf("%+v", first)
		}
		if table := said(t, address, "list"); strings.Count(table, "\n") != 3 || !strings.Contains(table, first.ID) || !strings.Contains(table, made.ID) || strings.Contains(table, "revoked") {
			t.Errorf("%s", table)
		}

		for range 2 {
			if out := said(t, address, "revoke", first.ID); !strings.Contains(out, first.ID) || !strings.Contains(out, "revoked") {
				t.Errorf("%s", out)
			}
		}
		for _, k := range parse[[]listed](t, said(t, address, "list", "--json")) {
			if (k.RevokedAt != nil) != (k.ID == first.ID) {
				t.Errorf("%+v", k)
			}
		}
		if says := refusedBy(t, address, "revoke", "nobody's"); strings.Contains(says, "sql") {
			t.Error(says)
		}
	})
}

// Credit is given once for each reason, to known identities.
func TestCreditFromTheShell(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address, schema.Apply)
		signUp(t, db, "someone@example.org")
		for _, step := range []struct {
			pence, reason, balance string
			again                  bool
		}{
			{"2500", "invoice 1042", "balance 2500.000", false},
			{"2500", "invoice 1042", "balance 2500.000", true},
			{"1", "a penny", "balance 2501.000", false},
			{"2500", "invoice 1042", "balance 2500.000", true}, // of the first time
		} {
			out := said(t, address, "credit", "Someone@Example.org", step.pence, "--reason", step.reason)
			if !strings.Contains(out, step.balance) || strings.Contains(out, "nothing changed") != step.again {
				t.Errorf("%+v: %s", step, out)
			}
		}
		for _, args := range [][]string{
			{"credit", "nobody@example.org", "1", "--reason", "r"},
			{"credit", "someone@example.org", "0", "--reason", "r"},
			{"credit", "someone@example.org", "9223372036854775807", "--reason", "r"},
			{"credit", "someone@example.org", "9223372036854775", "--reason", "r"},
			{"credit", "someone@example.org", "1.5", "--reason", "r"},
			{"credit", "someone@example.org", "1", "--reason", " "},
			{"credit", "someone@example.org", "1"},
		} {
			refusedBy(t, address, args...)
		}
		var millipence int64
		if err := db.QueryRow(t.Context(), "SELECT SUM(millipence) FROM balances").Scan(&millipence); err != nil || millipence != 2501_000 {
			t.Errorf("%d millipence %v", millipence, err)
		}
	})
}

func signUp(t *testing.T, db *store.DB, email string) {
	t.Helper()
	box, err := outbox.New(t.Context(), outbox.Options{DB: db})
	if err != nil {
		t.Fatal(err)
	}
	a := account.New(account.Options{DB: db, Ledger: ledger.New(db, nil), Outbox: box, BaseURL: "http://localhost", WebsiteURL: "http://localhost"})
	if _, err := a.Issue(t.Context(), account.Application{Email: email, AcceptTOS: true, Client: netip.MustParseAddr("192.0.2.1")}); err != nil {
		t.Fatal(err)
	}
}

// All that is wrong with a key is reported at once, and none is made.
func TestMintRefuses(t *testing.T) {
	address := storetest.SQLite(t)
	says := refusedBy(t, address, "mint", strings.Repeat("x", 121), "--quota=0", "--rate=0")
	for _, field := range []string{"name", "monthly_quota", "rate_per_min"} {
		if !strings.Contains(says, field) {
			t.Errorf("%q does not name %s", says, field)
		}
	}
	if says := refusedBy(t, address, "mint", "n", "--origin", "https://example.org/path"); !strings.Contains(says, "allowed_origins") {
		t.Errorf("%q", says)
	}
	refusedBy(t, address, "mint", "n", "--scope", "everything")
	if text := said(t, address, "list", "--json"); strings.TrimSpace(text) != "[]" {
		t.Errorf("%s", text)
	}
}

// A wrong path is a mistake, not a server without keys; and a password in an
// address is not shown.
func TestDatabaseOfTheShell(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "no.db")
	for _, args := range [][]string{{"list"}, {"revoke", "x"}, {"credit", "a@example.org", "1", "--reason", "r"}} {
		refusedBy(t, "sqlite:"+missing, args...)
		if _, err := os.Stat(missing); err == nil {
			t.Errorf("%v made a database", args)
		}
	}
	if says := refusedBy(t, "mysql://me:hunter2@example.org/x", "list"); strings.Contains(says, "hunter2") {
		t.Error(says)
	}
	if says := refusedBy(t, "postgres://me:hunter2@127.0.0.1:1/x", "list"); strings.Contains(says, "hunter2") {
		t.Error(says)
	}
	// Without an address, it is where the server would put it.
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	said(t, "", "mint", "n", "--data", filepath.Dir(missing))
	if found, err := filepath.Glob(filepath.Join(filepath.Dir(missing), "*.db")); err != nil || len(found) != 1 {
		t.Errorf("%v %v", found, err)
	}
	if text := said(t, "", "list", "--data", filepath.Dir(missing)); !regexp.MustCompile(`n +admin`).MatchString(text) {
		t.Error(text)
	}
}

// The name that a stranger gave a key does not steer the terminal.
func TestTableIsPlain(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	var b bytes.Buffer
	err := printKeys(&b, []account.Key{
		{ID: "1", Name: "a\x1b[2Jb\tc\nd", CreatedAt: now, ExpiresAt: &now},
		{ID: "2", Name: "é 地", CreatedAt: now, RevokedAt: &now, ExpiresAt: &now},
		{ID: "3", Name: "n", CreatedAt: now, ExpiresAt: new(now.Add(time.Second))},
	}, now)
	lines := strings.Split(b.String(), "\n")
	if err != nil || len(lines) != 5 || strings.ContainsAny(b.String(), "\x1b\t") || !strings.Contains(lines[2], "é 地") {
		t.Fatalf("%q %v", b.String(), err)
	}
	for i, end := range []string{"expired 2026-11-21", "revoked 2026-11-21", "-"} {
		if !strings.HasSuffix(lines[i+1], end) {
			t.Errorf("%q does not end in %s", lines[i+1], end)
		}
	}
}
