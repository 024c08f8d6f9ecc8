package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/waygate/waygate/account/stripe"
	"github.com/waygate/waygate/cmd/waygate/files"
)

// accountSettings are the settings of keys, mail and money.
type accountSettings struct {
	DatabaseURL string `env:"SVC_DATABASE_URL" help:"Database of accounts and usage: sqlite:PATH or postgres://…; by default sqlite in the data folder." secret:"url" placeholder:"URL"`
	RedisURL    string `env:"SVC_REDIS_URL" help:"Redis or Valkey in which replicas share rate limits; empty counts in this process." secret:"url" placeholder:"URL"`
	SigningKey  string `env:"SVC_SIGNING_KEY" help:"Private key that answers are signed with on request: 32 bytes in base64, as openssl rand -base64 32 prints; by default one that is made and kept in the database." secret:"all" placeholder:"KEY"`
	AdminToken  string `env:"SVC_ADMIN_TOKEN" help:"Token for the admin endpoints and pages; empty turns them off." secret:"all" placeholder:"TOKEN"`

	MaxIssuancesPerHour int  `env:"SVC_MAX_ISSUANCES_PER_HOUR" default:"200" help:"Most self-service keys issued in an hour, in total; 0 is no limit."`
	KeysPerIPDay        int  `name:"keys-per-ip-day" env:"SVC_KEYS_PER_IP_DAY" default:"3" help:"Most self-service keys issued to one client network in a UTC day, 1 to 1000000."`
	KeysLoopbackExempt  bool `env:"SVC_KEYS_LOOPBACK_EXEMPT" help:"Exempt callers on this machine from SVC_KEYS_PER_IP_DAY. Do not use it behind a proxy that is missing in SVC_TRUSTED_PROXIES, because every caller then appears to be on this machine."`

	SMTPURL         string `group:"Mail and webhooks" name:"smtp-url" env:"SVC_SMTP_URL" help:"Mail relay: smtp://user:password@host:587 or smtps://…; empty prints mails to the log." secret:"url" placeholder:"URL"`
	MailFrom        string `group:"Mail and webhooks" env:"SVC_MAIL_FROM" default:"Waygate <noreply@localhost>" help:"Sender address of mails."`
	WebhooksPrivate bool   `group:"Mail and webhooks" env:"SVC_WEBHOOKS_PRIVATE" help:"Allow webhooks to private addresses and over plain http."`

	UnitPrice           int64  `group:"Money" env:"SVC_UNIT_PRICE" default:"10" help:"Price of a unit beyond the quota in millipence (1000 are a penny); 0 sells none."`
	StripeKey           string `group:"Money" env:"SVC_STRIPE_KEY" help:"Secret key of Stripe; needed to sell credit and plans." secret:"all" placeholder:"KEY"`
	StripeWebhookSecret string `group:"Money" env:"SVC_STRIPE_WEBHOOK_SECRET" help:"Signing secret of the Stripe webhook to POST /v1/stripe/webhook." secret:"all" placeholder:"SECRET"`
	StripeAPI           string `group:"Money" name:"stripe-api" env:"SVC_STRIPE_API" help:"Address of Stripe's API, for tests; empty is Stripe's own." placeholder:"URL"`
	Plans               plans  `group:"Money" env:"SVC_PLANS" help:"Subscriptions on offer, as name=price_id:units:calls:pence,… with units a month, calls a minute and pence a month." placeholder:"PLAN,…"`

	X402Facilitator  string `group:"Money" name:"x402-facilitator" env:"SVC_X402_FACILITATOR" help:"Address of an x402 facilitator, for payment with the call itself." secret:"url" placeholder:"URL"`
	X402Network      string `group:"Money" name:"x402-network" env:"SVC_X402_NETWORK" default:"base" help:"Network of machine payments (x402)."`
	X402Asset        string `group:"Money" name:"x402-asset" env:"SVC_X402_ASSET" help:"Contract address of the token." placeholder:"ADDRESS"`
	X402AssetName    string `group:"Money" name:"x402-asset-name" env:"SVC_X402_ASSET_NAME" default:"USD Coin" help:"Name of the token in its signing domain."`
	X402AssetVersion string `group:"Money" name:"x402-asset-version" env:"SVC_X402_ASSET_VERSION" default:"2" help:"Version of the token in its signing domain."`
	X402PayTo        string `group:"Money" name:"x402-pay-to" env:"SVC_X402_PAY_TO" help:"Address that receives machine payments." placeholder:"ADDRESS"`
	X402UnitPrice    int64  `group:"Money" name:"x402-unit-price" env:"SVC_X402_UNIT_PRICE" default:"125" help:"Price of a unit in the token's smallest units."`
}

func (s *accountSettings) validate() error {
	switch {
	case s.AdminToken != "" && len(s.AdminToken) < 16:
		return fmt.Errorf("SVC_ADMIN_TOKEN has %d characters; it must have at least 16, because it grants full access", len(s.AdminToken))
	case s.MaxIssuancesPerHour < 0:
		return fmt.Errorf("SVC_MAX_ISSUANCES_PER_HOUR is %d; it must be 0 (no limit) or more keys an hour", s.MaxIssuancesPerHour)
	case s.KeysPerIPDay < 1 || s.KeysPerIPDay > 1_000_000:
		return fmt.Errorf("SVC_KEYS_PER_IP_DAY is %d keys; it must be 1 to 1000000", s.KeysPerIPDay)
	case s.UnitPrice < 0 || s.UnitPrice > 1_000_000:
		return fmt.Errorf("SVC_UNIT_PRICE is %d millipence; it must be 0 to 1000000", s.UnitPrice)
	case s.StripeKey != "" && s.StripeWebhookSecret == "":
		return errors.New("SVC_STRIPE_KEY is set but SVC_STRIPE_WEBHOOK_SECRET is empty: payments would never be booked")
	case len(s.Plans) > 0 && s.StripeKey == "":
		return errors.New("SVC_PLANS is set but SVC_STRIPE_KEY is empty: nobody could subscribe")
	case s.X402Facilitator != "" && (s.X402Asset == "" || s.X402PayTo == ""):
		return errors.New("SVC_X402_FACILITATOR is set but SVC_X402_ASSET or SVC_X402_PAY_TO is empty")
	case s.X402UnitPrice < 0:
		return fmt.Errorf("SVC_X402_UNIT_PRICE is %d; it must be at least 0", s.X402UnitPrice)
	}
	return nil
}

// database returns the address of the database: the one that is set, or else a file in
// dir or in the user's data folder.
func (s *accountSettings) database(dir string) (string, error) {
	if s.DatabaseURL != "" {
		return s.DatabaseURL, nil
	}
	if dir == "" {
		var err error
		if dir, err = files.UserDataFolder(); err != nil {
			return "", fmt.Errorf("no folder for the database was found; set SVC_DATABASE_URL or SVC_DATA_DIR: %w", err)
		}
	}
	return "sqlite:" + filepath.Join(dir, "accounts.db"), nil
}

// plans reads SVC_PLANS.
type plans []stripe.Plan

// UnmarshalText reads name=price_id:units:calls:pence,….
func (p *plans) UnmarshalText(text []byte) error {
	*p = nil
	for one := range strings.SplitSeq(string(text), ",") {
		name, rest, _ := strings.Cut(strings.TrimSpace(one), "=")
		parts := strings.Split(rest, ":")
		if name == "" || len(parts) != 4 || parts[0] == "" {
			return fmt.Errorf("plan %q is invalid; use name=price_id:units_a_month:calls_a_minute:pence_a_month", one)
		}
		var figures [3]int64
		for i, text := range parts[1:] {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil || n < 1 {
				return fmt.Errorf("plan %q: %q is not a whole number of at least 1", one, text)
			}
			figures[i] = n
		}
		*p = append(*p, stripe.Plan{Name: name, Price: parts[0], MonthlyQuota: figures[0], RatePerMin: figures[1], MonthlyPence: figures[2]})
	}
	return nil
}
