package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/alecthomas/kong"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/schema"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/store"
)

// keysCommand works directly on the database, for users with a shell there. It needs no
// running server; a running one sees a change within meter.Fresh.
type keysCommand struct {
	Mint   mintCommand   `cmd:"" help:"Create a key and print its secret, which is shown only once."`
	List   listCommand   `cmd:"" help:"List all keys, newest first."`
	Revoke revokeCommand `cmd:"" help:"Revoke a key. Servers refuse it within seconds."`
	Credit creditCommand `cmd:"" help:"Give prepaid credit to an account, once for each reason."`
}

// ledgerFlags select the server's database.
type ledgerFlags struct {
	DatabaseURL string `env:"SVC_DATABASE_URL" help:"Database of the server: sqlite:PATH or postgres://…; by default SQLite in the data folder." placeholder:"ADDRESS"`
	Data        string `env:"SVC_DATA_DIR" help:"The server's data folder." type:"path" placeholder:"DIR"`
}

// open opens the accounts while use runs. Tables are migrated to the newest version.
func (b *ledgerFlags) open(ctx context.Context, stderr io.Writer, use func(*account.Accounts) error) (err error) {
	address, err := b.address()
	if err != nil {
		return err
	}
	log := shellLog(stderr)
	db, err := store.Open(ctx, address, store.Options{Log: log})
	if err != nil {
		return fmt.Errorf("SVC_DATABASE_URL: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := schema.Apply(ctx, db, log); err != nil {
		return err
	}
	// Mails that a change causes are queued here and sent by a server.
	box, err := outbox.New(ctx, outbox.Options{DB: db, Log: log})
	if err != nil {
		return err
	}
	return spelled(use(account.New(account.Options{DB: db, Ledger: ledger.New(db, nil), Outbox: box, Log: log})))
}

// shellLog returns a log for a command in a shell: warnings and errors only.
func shellLog(stderr io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

func (b *ledgerFlags) address() (string, error) {
	s := accountSettings{DatabaseURL: b.DatabaseURL}
	return s.database(b.Data)
}

// openKept is open for commands that need an existing database: a wrong path must not
// look like a server without keys.
func (b *ledgerFlags) openKept(ctx context.Context, stderr io.Writer, use func(*account.Accounts) error) error {
	address, err := b.address()
	if err != nil {
		return err
	}
	if path, ok := strings.CutPrefix(address, "sqlite:"); ok {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("no database found; set SVC_DATABASE_URL or SVC_DATA_DIR: %w", err)
		}
	}
	return b.open(ctx, stderr, use)
}

// spelled returns an error with all that is wrong with a request, one on a line.
func spelled(err error) error {
	var f *fault.Error
	if !errors.As(err, &f) {
		return err
	}
	violations := f.Violations()
	if len(violations) == 0 {
		return errors.New(f.Detail)
	}
	var lines []string
	for _, v := range violations {
		lines = append(lines, v.Location+": "+v.Message)
	}
	return errors.New(strings.Join(lines, "\n"))
}

type mintCommand struct {
	Name        string   `arg:"" help:"Name of the key, at most 120 characters."`
	Quota       int64    `default:"50000" help:"Units a month: a Standard call is 1, a Premium call 20 (${default})."`
	Rate        int64    `default:"60" help:"Calls a minute (${default})."`
	Origin      []string `help:"Web origin that may use the key, such as https://*.example.com. May be given several times; without it every origin may." placeholder:"ORIGIN"`
	Scope       string   `default:"full" enum:"full,maps" help:"Scope of the key (${enum})."`
	JSON        bool     `help:"Print the key's record with its secret as JSON."`
	ledgerFlags `embed:"" group:"Database"`
}

// Run prints only the secret to stdout, so that a script can read it.
func (c *mintCommand) Run(ctx context.Context, app *kong.Kong) error {
	return c.open(ctx, app.Stderr, func(a *account.Accounts) error {
		made, err := a.Mint(ctx, account.Minting{Name: c.Name, MonthlyQuota: c.Quota, RatePerMin: c.Rate, AllowedOrigins: c.Origin, Scope: account.Scope(c.Scope)})
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(app.Stdout, struct {
				keyRecord
				Key string `json:"key"`
			}{recordOf(&made.Key), made.Secret})
		}
		_, err = fmt.Fprintln(app.Stdout, made.Secret)
		_, err2 := fmt.Fprintf(app.Stderr, "This is the secret of key %s. It is not kept and cannot be shown again.\n", made.Key.ID)
		return errors.Join(err, err2)
	})
}

// keyRecord is a key's record in the API's form.
type keyRecord struct {
	ID             string        `json:"id"`
	IdentityID     *string       `json:"identity_id"`
	Name           string        `json:"name"`
	State          account.State `json:"state"`
	Scope          account.Scope `json:"scope"`
	AllowedOrigins []string      `json:"allowed_origins"`
	MonthlyQuota   int64         `json:"monthly_quota"`
	RatePerMin     int64         `json:"rate_per_min"`
	CreatedAt      time.Time     `json:"created_at"`
	ExpiresAt      *time.Time    `json:"expires_at"`
	RevokedAt      *time.Time    `json:"revoked_at"`
	FirstSuccessAt *time.Time    `json:"first_success_at"`
}

func recordOf(k *account.Key) keyRecord {
	r := keyRecord{
		ID: k.ID, Name: k.Name, State: k.State, Scope: k.Scope, AllowedOrigins: append([]string{}, k.AllowedOrigins...),
		MonthlyQuota: k.MonthlyQuota, RatePerMin: k.RatePerMin,
		CreatedAt: k.CreatedAt, ExpiresAt: k.ExpiresAt, RevokedAt: k.RevokedAt, FirstSuccessAt: k.FirstSuccessAt,
	}
	if k.IdentityID != "" {
		r.IdentityID = &k.IdentityID
	}
	return r
}

type listCommand struct {
	JSON        bool `help:"Print JSON instead of a table."`
	ledgerFlags `embed:"" group:"Database"`
}

// listPage is how many keys are read at once.
const listPage = 500

// Run prints every key's record. Secrets are not stored, so none are printed.
func (c *listCommand) Run(ctx context.Context, app *kong.Kong) error {
	return c.openKept(ctx, app.Stderr, func(a *account.Accounts) error {
		var all []account.Key
		for {
			keys, total, err := a.Keys(ctx, listPage, len(all))
			if err != nil {
				return err
			}
			all = append(all, keys...)
			if len(keys) == 0 || int64(len(all)) >= total {
				break
			}
		}
		if c.JSON {
			records := []keyRecord{}
			for i := range all {
				records = append(records, recordOf(&all[i]))
			}
			return printJSON(app.Stdout, records)
		}
		return printKeys(app.Stdout, all, time.Now())
	})
}

func printKeys(w io.Writer, keys []account.Key, now time.Time) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, err := fmt.Fprintln(t, "ID\tNAME\tSTATE\tSCOPE\tQUOTA\tRATE\tCREATED\tENDED")
	for i := range keys {
		k := &keys[i]
		_, e := fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%d\t%s\t%s\n",
			k.ID, printable(k.Name), k.State, k.Scope, k.MonthlyQuota, k.RatePerMin, k.CreatedAt.UTC().Format(time.DateOnly), ended(k, now))
		err = errors.Join(err, e)
	}
	return errors.Join(err, t.Flush())
}

// ended returns since when a key is invalid, "-" if it is valid.
func ended(k *account.Key, now time.Time) string {
	switch {
	case k.RevokedAt != nil:
		return "revoked " + k.RevokedAt.UTC().Format(time.DateOnly)
	case k.ExpiresAt != nil && !k.ExpiresAt.After(now):
		return "expired " + k.ExpiresAt.UTC().Format(time.DateOnly)
	}
	return "-"
}

// printable removes control characters from a key's name, which may come from a
// stranger and must not control the terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
}

type revokeCommand struct {
	ID          string `arg:"" help:"The key's id, not its secret."`
	ledgerFlags `embed:"" group:"Database"`
}

// Run revokes the key; a key that was revoked before keeps its first time.
func (c *revokeCommand) Run(ctx context.Context, app *kong.Kong) error {
	return c.openKept(ctx, app.Stderr, func(a *account.Accounts) error {
		k, err := a.Revoke(ctx, c.ID)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(app.Stdout, "%s (%s): %s\n", k.ID, printable(k.Name), ended(k, time.Now()))
		return err
	})
}

type creditCommand struct {
	Email       string `arg:"" help:"E-mail address of the account."`
	Pence       int64  `arg:"" help:"Amount in pence, at least 1."`
	Reason      string `required:"" help:"Reason, shown in the history. Repeating a reason changes nothing." placeholder:"TEXT"`
	ledgerFlags `embed:"" group:"Database"`
}

// Run gives the credit and prints the balance.
func (c *creditCommand) Run(ctx context.Context, app *kong.Kong) error {
	if c.Pence < 1 || c.Pence > math.MaxInt64/1000 {
		return fmt.Errorf("%d pence is out of range; it must be at least 1 and fit into a balance", c.Pence)
	}
	return c.openKept(ctx, app.Stderr, func(a *account.Accounts) error {
		done, err := a.CreditIdentity(ctx, c.Email, c.Pence*1000, c.Reason)
		if err != nil {
			return err
		}
		note := "credited"
		if done.Duplicate {
			note = "this reason was applied before, nothing changed"
		}
		_, err = fmt.Fprintf(app.Stdout, "%s; balance %d.%03d pence\n", note, done.Millipence/1000, done.Millipence%1000)
		return err
	})
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
