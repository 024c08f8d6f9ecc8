package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"math"
	"net/netip"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// Network returns what counts as one client: an IPv4 address, or the /64 that one
// household or machine has of IPv6.
func Network(client netip.Addr) netip.Addr {
	client = client.Unmap().WithZone("")
	if client.Is6() {
		if p, err := client.Prefix(64); err == nil {
			return p.Addr()
		}
	}
	return client
}

// salted hashes a text with the salt of a day. The salt is made when it is first needed
// and deleted a day later; from then on the hashes cannot be traced to their texts.
func salted(ctx context.Context, tx *store.Tx, day, text string) (string, error) {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails: it ends the process instead
	scope := "client:" + day
	if _, err := tx.Exec(ctx, "INSERT INTO salts (scope, salt) VALUES ($1, $2) ON CONFLICT (scope) DO NOTHING", scope, hex.EncodeToString(random[:])); err != nil {
		return "", err
	}
	var salt string
	if err := tx.QueryRow(ctx, "SELECT salt FROM salts WHERE scope = $1", scope).Scan(&salt); err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(salt + " " + text))
	return hex.EncodeToString(sum[:16]), nil
}

// counted adds one to a counter of issuances_client, unless that has reached most.
func counted(ctx context.Context, tx *store.Tx, period, who string, most int64) (bool, error) {
	n, err := tx.Exec(ctx, `INSERT INTO issuances_client (day, client, n) VALUES ($1, $2, 1)
		ON CONFLICT (day, client) DO UPDATE SET n = issuances_client.n + 1 WHERE issuances_client.n < $3`, period, who, most)
	return n > 0, err
}

func (a Issuance) countClient(ctx context.Context, tx *store.Tx, client netip.Addr, now time.Time) error {
	limit := a.options.IssuancesPerDay
	most := int64(limit)
	if a.options.LoopbackExempt && client.Unmap().IsLoopback() {
		most = math.MaxInt64 // counted without a ceiling too, for the operator to see
	}
	day := now.Format(dayForm)
	who, err := salted(ctx, tx, day, Network(client).String())
	if err != nil {
		return err
	}
	if ok, err := counted(ctx, tx, day, who, most); ok || err != nil {
		return err
	}
	return fault.New(fault.IssuanceVelocity, "%d keys were issued to this network today, which is the limit; try again after midnight UTC", limit).
		With("limit", limit).With("retry_after", until(now, 24*time.Hour))
}

// countHour checks the ceiling of all issuances in an hour. Without a ceiling it counts
// too, for the operator to see.
func (a Issuance) countHour(ctx context.Context, tx *store.Tx, now time.Time) error {
	hour := now.Format(hourForm)
	if a.options.MaxIssuancesPerHour <= 0 {
		_, err := tx.Exec(ctx, "INSERT INTO issuances_hour (hour, n) VALUES ($1, 1) ON CONFLICT (hour) DO UPDATE SET n = issuances_hour.n + 1", hour)
		return err
	}
	n, err := tx.Exec(ctx, `INSERT INTO issuances_hour (hour, n) VALUES ($1, 1)
		ON CONFLICT (hour) DO UPDATE SET n = issuances_hour.n + 1 WHERE issuances_hour.n < $2`, hour, int64(a.options.MaxIssuancesPerHour))
	if n > 0 || err != nil {
		return err
	}
	return a.hourFull(now)
}

// beforeHourly refuses what countHour would refuse, without a transaction, so that a
// flood does not keep others from writing.
func (a Issuance) beforeHourly(ctx context.Context, now time.Time) error {
	if a.options.MaxIssuancesPerHour <= 0 {
		return nil
	}
	var n int64
	err := a.options.DB.QueryRow(ctx, "SELECT n FROM issuances_hour WHERE hour = $1", now.Format(hourForm)).Scan(&n)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return store.Unavailable(err)
	}
	if n >= int64(a.options.MaxIssuancesPerHour) {
		return a.hourFull(now)
	}
	return nil
}

func (a Issuance) hourFull(now time.Time) error {
	return fault.New(fault.IssuanceVelocity, "this deployment issues at most %d keys an hour and has done so; try again in the next hour", a.options.MaxIssuancesPerHour).
		With("limit", a.options.MaxIssuancesPerHour).With("retry_after", until(now, time.Hour))
}

// until returns the seconds to the end of the running period, rounded up.
func until(now time.Time, period time.Duration) int64 {
	left := now.Truncate(period).Add(period).Sub(now)
	return int64((left + time.Second - 1) / time.Second)
}
