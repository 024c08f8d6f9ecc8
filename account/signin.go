package account

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"time"

	"github.com/waygate/waygate/store"
)

// An address gets at most signInsPerWindow sign-in mails in a window. The window is as
// long as a link is valid, so that a caller who uses up another's share has left a
// valid link in that other's mailbox.
const (
	signInsPerWindow = 3
	signInWindow     = SignInLife
)

// The rows of issuances_client that belong to sign-ins. In other rows the day is a
// date, so the keys never meet.
const (
	signInScope = "#signin "
	decoyScope  = "#decoy"
	decoyRows   = 62
)

// SignIn e-mails a sign-in link to an address that has an account. For any other
// address, or what is none, it does nothing with the same result. An address that has
// had its share of mails gets none, with the same result again.
func (a SignIns) SignIn(ctx context.Context, email string) error {
	email, err := address(email)
	if err != nil {
		return nil //nolint:nilerr // nobody learns which addresses have accounts, nor which could
	}
	return a.sendSignIn(ctx, email)
}

// sendSignIn does the same work for an address with and without an account: the same
// statements up to the last three, of which two write a row each in both cases.
func (a SignIns) sendSignIn(ctx context.Context, email string) error {
	now := a.now()
	token, hash := newToken()
	mail, err := a.signInMail(email, token, now)
	if err != nil {
		return err
	}
	err = a.tx(ctx, func(tx *store.Tx) error {
		who, err := salted(ctx, tx, now.Format(dayForm), email)
		if err != nil {
			return err
		}
		window := signInScope + now.Truncate(signInWindow).Format(time.RFC3339)
		if ok, err := counted(ctx, tx, window, who, signInsPerWindow); !ok || err != nil {
			return err
		}
		var identity string
		err = tx.QueryRow(ctx, "SELECT id FROM identities WHERE email = $1", email).Scan(&identity)
		if errors.Is(err, sql.ErrNoRows) {
			return decoySignIn(ctx, tx)
		}
		if err != nil {
			return err
		}
		if err := insertLink(ctx, tx, hash, link{signInLink, identity, "", now, now.Add(SignInLife)}); err != nil {
			return err
		}
		return a.options.Outbox.Mail(ctx, tx, mail)
	})
	if err != nil {
		return err
	}
	a.options.Outbox.Wake()
	return nil
}

// decoySignIn writes two rows in place of a link and an e-mail, and between them looks
// one up, as the e-mail's line is looked up. The rows are fixed, so that a flood of
// made-up addresses fills no table; the second always comes after the first, so that
// two decoys cannot deadlock.
func decoySignIn(ctx context.Context, tx *store.Tx) error {
	var random [2]byte
	_, _ = rand.Read(random[:]) // never fails: it ends the process instead
	write := func(half string, random byte) error {
		_, err := tx.Exec(ctx, "INSERT INTO issuances_client (day, client, n) VALUES ($1, $2, 1) ON CONFLICT (day, client) DO UPDATE SET n = issuances_client.n + 1",
			decoyScope, half+string(base62[random%decoyRows]))
		return err
	}
	if err := write("link ", random[0]); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "INSERT INTO issuances_client (day, client, n) VALUES ($1, 'line', 0) ON CONFLICT DO NOTHING", decoyScope); err != nil {
		return err
	}
	return write("mail ", random[1])
}
