package account

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// operatorSource is the source of an operator's credit in ledger entries.
const operatorSource = "admin"

// CreditKey credits the identity of a key; no-identity-ledger for a key without one.
// millipence is 1 to ledger.MaxCredit. A reason is applied once.
func (a Operators) CreditKey(ctx context.Context, keyID string, millipence int64, reason string) (*ledger.Credited, error) {
	k, err := a.Key(ctx, keyID)
	if err != nil {
		return nil, err
	}
	if k.IdentityID == "" {
		return nil, fault.New(fault.NoIdentityLedger, "the key %s was made by an operator and has no identity whose ledger could be credited", k.ID)
	}
	return a.credit(ctx, k.IdentityID, millipence, reason)
}

// CreditIdentity credits the identity of an address; not-found if there is none.
func (a Operators) CreditIdentity(ctx context.Context, email string, millipence int64, reason string) (*ledger.Credited, error) {
	i, err := a.byEmail(ctx, email)
	if err != nil {
		return nil, err
	}
	return a.credit(ctx, i.ID, millipence, reason)
}

func (a Operators) credit(ctx context.Context, identityID string, millipence int64, reason string) (*ledger.Credited, error) {
	reason, wrong := checkReason(reason)
	if err := fault.Invalid(append(wrong, checkRange("millipence", millipence, 1, ledger.MaxCredit)...)...); err != nil {
		return nil, err
	}
	c, err := a.options.Ledger.Credit(ctx, identityID, millipence, reason, operatorSource)
	if err != nil {
		return nil, store.Unavailable(err)
	}
	a.changed(identityID)
	return c, nil
}

// byEmail finds an identity by an address in any case; not-found if there is none.
func (a *core) byEmail(ctx context.Context, email string) (*Identity, error) {
	canonical, err := address(email)
	if err != nil {
		return nil, nobody(email)
	}
	i, ok, err := identityBy(ctx, a.options.DB, "email", canonical)
	if err != nil {
		return nil, store.Unavailable(err)
	}
	if !ok {
		return nil, nobody(email)
	}
	return i, nil
}

func nobody(email string) error {
	return fault.New(fault.NotFound, "there is no identity with the e-mail address %q", fault.Clip(email))
}

// checkReason trims and checks a reason. A repeated order is recognised by it.
func checkReason(reason string) (string, []fault.Violation) {
	reason = strings.TrimSpace(reason)
	if n := utf8.RuneCountInString(reason); n < 1 || n > reasonMax || !printable(reason) {
		return "", []fault.Violation{{Location: "reason", Value: strings.ToValidUTF8(reason, "\ufffd"), Message: fmt.Sprintf("must be one line of 1 to %d characters", reasonMax)}}
	}
	return reason, nil
}

// Field is a figure that an operator may set for an identity.
type Field string

// The figures. Each is at most 10^12.
const (
	MonthlyQuota      Field = "monthly_quota"          // units, at least 1
	DownloadAllowance Field = "download_allowance_mib" // MiB, at least 0
	MAUIncluded       Field = "mau_included"           // at least 0
)

// Set sets a figure of an identity, once for each reason: repeated, it changes nothing
// and duplicate is true. It returns the value in force.
func (a Operators) Set(ctx context.Context, email string, f Field, value int64, reason string) (inForce int64, duplicate bool, err error) {
	var column string
	least := int64(0)
	switch f {
	case MonthlyQuota:
		column, least = "monthly_quota", 1
	case DownloadAllowance:
		column = "download_allowance_mib"
	case MAUIncluded:
		column = "mau_included"
	default:
		return 0, false, fmt.Errorf("an identity has no figure %q", f)
	}
	reason, wrong := checkReason(reason)
	if err := fault.Invalid(append(wrong, checkRange(string(f), value, least, figureMax)...)...); err != nil {
		return 0, false, err
	}
	i, err := a.byEmail(ctx, email)
	if err != nil {
		return 0, false, err
	}
	err = a.tx(ctx, func(tx *store.Tx) error {
		n, err := tx.Exec(ctx, "INSERT INTO adjustments (identity_id, field, reason, value, at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
			i.ID, string(f), reason, value, a.now().UnixMilli())
		if err != nil {
			return err
		}
		if duplicate = n == 0; !duplicate {
			inForce = value
			_, err = tx.Exec(ctx, "UPDATE identities SET "+column+" = $1 WHERE id = $2", value, i.ID)
			return err
		}
		now, _, err := identityBy(ctx, tx, "id", i.ID)
		if err != nil {
			return err
		}
		inForce = map[Field]int64{MonthlyQuota: now.MonthlyQuota, DownloadAllowance: now.DownloadMiB, MAUIncluded: now.IncludedMAU}[f]
		return nil
	})
	if err != nil {
		return 0, false, err
	}
	if !duplicate {
		a.changed(i.ID)
	}
	return inForce, duplicate, nil
}
