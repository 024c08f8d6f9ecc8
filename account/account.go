package account

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"time"

	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/store"
)

// Options make Accounts. DB, Ledger and Outbox are required.
type Options struct {
	DB                  *store.DB
	Ledger              *ledger.Ledger
	Outbox              *outbox.Outbox
	BaseURL             string // absolute, without a slash at the end; for links in e-mails
	WebsiteURL          string // likewise
	MaxIssuancesPerHour int    // 0 is no ceiling
	// Changed, where it is not nil, hears the id of a key or an identity whose
	// record has changed.
	Changed func(id string)
	Log     *slog.Logger
	Now     func() time.Time
}

// Accounts are the identities and their keys.
type Accounts struct{ options Options }

// New makes Accounts over tables that schema.Apply has made.
func New(o Options) *Accounts { return &Accounts{o} }

// Hash is how a secret or a token is kept: SHA-256 in hex.
func Hash(secret string) string { return "" }

// Plausible reports whether a text can be a key's secret: its form and its
// checksum are right. It spares the database what cannot be one.
func Plausible(secret string) bool { return false }

// Application is a request for a key.
type Application struct {
	Email          string
	AcceptTOS      bool
	Label          string // "" makes one
	AllowedOrigins []string
	Scope          Scope // "" is Full
	Source         string
	Client         netip.Addr // who asks; counted by network
	UserAgent      string
}

// Issued is a new key with its secret, which is told this once.
type Issued struct {
	Key            Key
	Secret         string
	ClaimURL       string
	DisplayToUser  string
	ClaimExpiresIn time.Duration
}

// Issue makes a provisional key and queues the verification e-mail. It refuses
// with invalid-email (malformed or disposable), tos-not-accepted, bad-request
// (label, origins, scope, source), issuance-velocity and key-cap.
func (a *Accounts) Issue(ctx context.Context, app Application) (*Issued, error) {
	return nil, errors.ErrUnsupported
}

// Verification is what the link of an e-mail says about the request behind it.
type Verification struct {
	Label       string
	MaskedEmail string
	RequestedAt time.Time
	UserAgent   string
	Source      string
	ExpiresAt   time.Time
	State       string // pending, verified, denied, expired
	KeyID       string
}

// Verification reads a verification token and changes nothing. An unknown
// token is not-found.
func (a *Accounts) Verification(ctx context.Context, token string) (*Verification, error) {
	return nil, errors.ErrUnsupported
}

// Verify confirms the key a link was sent for. Confirming twice is agreement;
// after a denial, expiry or revocation it is refused (forbidden).
func (a *Accounts) Verify(ctx context.Context, token string) (*Verification, error) {
	return nil, errors.ErrUnsupported
}

// Deny revokes the key a link was sent for; also after it was verified, for
// the holder of the address has the last word. Denying twice is agreement.
func (a *Accounts) Deny(ctx context.Context, token string) (*Verification, error) {
	return nil, errors.ErrUnsupported
}

// Claim is a pointer that an agent shows its human.
type Claim struct {
	URL           string
	ExpiresIn     time.Duration
	DisplayToUser string
}

// Claim makes a fresh claim pointer for a key of an identity; forbidden for a
// key without one.
func (a *Accounts) Claim(ctx context.Context, keyID string) (*Claim, error) {
	return nil, errors.ErrUnsupported
}

// Resolve gives the masked e-mail behind a claim pointer and consumes nothing.
func (a *Accounts) Resolve(ctx context.Context, token string) (maskedEmail string, err error) {
	return "", errors.ErrUnsupported
}

// SignInByClaim e-mails a sign-in link to the identity behind a pointer. An
// unknown or expired one is not-found.
func (a *Accounts) SignInByClaim(ctx context.Context, token string) error {
	return errors.ErrUnsupported
}

// SignIn e-mails a sign-in link to an address that has an account and does
// nothing for another; it tells neither apart, not by time either. The only
// refusal is invalid-email for what is no address.
func (a *Accounts) SignIn(ctx context.Context, email string) error { return errors.ErrUnsupported }

// Session is a signed-in console.
type Session struct {
	Token     string // told once
	ExpiresAt time.Time
}

// SignedIn exchanges the token of a sign-in link, once, for a session;
// unauthorized otherwise.
func (a *Accounts) SignedIn(ctx context.Context, token string) (*Session, error) {
	return nil, errors.ErrUnsupported
}

// Session gives the identity behind a session token; unauthorized otherwise.
func (a *Accounts) Session(ctx context.Context, token string) (*Identity, error) {
	return nil, errors.ErrUnsupported
}

// SignOut ends a session.
func (a *Accounts) SignOut(ctx context.Context, token string) error { return errors.ErrUnsupported }

// ConsoleKey is a key as its owner's console shows it.
type ConsoleKey struct {
	Key
	UsedThisMonth int64 // units, flushed rows
}

// ConsoleView is what the console shows of an identity.
type ConsoleView struct {
	Identity      Identity
	Balance       ledger.Balance
	UsedThisMonth int64        // units of the pool
	Keys          []ConsoleKey // newest first, revoked included
	History       []ledger.Entry
}

// Console gives the account of an identity.
func (a *Accounts) Console(ctx context.Context, identityID string) (*ConsoleView, error) {
	return nil, errors.ErrUnsupported
}

// WebhookSecret makes a new signing secret for a key's webhooks (whsec_ and
// base64) and, where address is not "", registers where account events go. The
// address must be https and not be private by name.
func (a *Accounts) WebhookSecret(ctx context.Context, keyID, address string) (secret string, err error) {
	return "", errors.ErrUnsupported
}

// UsageOf is whose usage is asked for: a key's or an identity's.
type UsageOf struct{ KeyID, IdentityID string }

// Usage is metered units by day and endpoint.
type Usage struct {
	From, To string // days, inclusive: 2026-11-01
	Days     []UsageDay
	Calls    int64
	Units    int64
}

// UsageDay is one day of Usage; days without calls are left out.
type UsageDay struct {
	Date      string
	Units     int64
	Endpoints []UsageEndpoint // by units, largest first
}

// UsageEndpoint is one endpoint on one day.
type UsageEndpoint struct {
	Endpoint     string
	Class        string
	Calls, Units int64
}

// Usage gives flushed usage from one day to another, inclusive, at most 366
// days: "" is the first of this month and today.
func (a *Accounts) Usage(ctx context.Context, of UsageOf, from, to string) (*Usage, error) {
	return nil, errors.ErrUnsupported
}
