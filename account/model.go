// Package account manages identities, their keys, the links of e-mails, claims and
// sessions. Package account/meter charges calls; account/ledger manages credit.
package account

import (
	"time"
)

// State is the state of a key.
type State string

// The states of a key. An expired or revoked key keeps its last state.
const (
	Admin       State = "admin"       // minted by an operator
	Provisional State = "provisional" // issued, its e-mail not confirmed yet
	Verified    State = "verified"
)

// Scope names the endpoints that a key may call.
type Scope string

// The scopes.
const (
	Full Scope = "full"
	Maps Scope = "maps"
)

// FreePlan is the plan of an identity without a subscription.
const FreePlan = "free"

// The limits of self-serve keys.
const (
	ProvisionalQuota       = 1_000 // units in the whole life of the key
	ProvisionalLife        = 72 * time.Hour
	VerifiedQuota          = 50_000 // units a month, pooled over the identity
	RatePerMinute          = 60
	KeysPerIdentity        = 5 // neither revoked nor expired
	DefaultIssuancesPerDay = 3 // for one client network
	AllowedOriginsMax      = 20
	NameMax                = 120  // characters
	DownloadMiB            = 8192 // a month
	IncludedMAU            = 1_000
	SignInLife             = 15 * time.Minute
	ClaimLife              = 72 * time.Hour
	SessionLife            = 12 * time.Hour
)

// Key is a key's record. It contains neither the secret nor its hash.
type Key struct {
	ID             string // UUID v4
	IdentityID     string // "" for a key minted by an operator
	Name           string // the label
	State          State
	Scope          Scope
	AllowedOrigins []string // canonical; empty is unrestricted
	MonthlyQuota   int64    // units a month; of a provisional key, in its life
	RatePerMin     int64
	CreatedAt      time.Time
	ExpiresAt      *time.Time
	RevokedAt      *time.Time
	FirstSuccessAt *time.Time
	Source         string
}

// Identity is a person or a company, identified by an e-mail address.
type Identity struct {
	ID               string // UUID v4
	Email            string // lower case
	CreatedAt        time.Time
	TOSAcceptedAt    time.Time
	VerifiedAt       *time.Time
	Source           string
	Plan             string // FreePlan until a subscription is active
	StripeCustomerID string // "" where there is none
	MonthlyQuota     int64  // in force: an operator's figure, else the plan's, else VerifiedQuota
	DownloadMiB      int64
	IncludedMAU      int64
}
