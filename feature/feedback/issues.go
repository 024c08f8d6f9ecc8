package feedback

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// IssuesPerDay is how many map issues a key, or a client network without one,
// may report in a UTC day.
const IssuesPerDay = 50

// KeylessIssuesPerDay is how many map issues all callers without a key together
// may report in a UTC day: client networks are many and cost nothing.
const KeylessIssuesPerDay = 1000

// keylessWho stands for all of them. It is no key's id and no network.
const keylessWho = "keyless"

// MapIssue is a report of something wrong on the map.
type MapIssue struct {
	ID       string
	KeyID    string // "" from the demo lane
	At       time.Time
	Lat, Lon float64
	Category string
	Note     string
	Contact  string
}

// Report keeps a map issue and gives its id. who is the key's id or, in the
// demo lane, the client's network, of which only a hash is kept, for at most
// two days. ID and At of the issue are set here; its note and contact are
// trimmed. It refuses bad-request, and map-issue-velocity above
// IssuesPerDay or, without a key, above KeylessIssuesPerDay of all.
func (s *Service) Report(ctx context.Context, who string, issue MapIssue) (id string, err error) {
	issue.Note, issue.Contact = strings.TrimSpace(issue.Note), strings.TrimSpace(issue.Contact)
	if err := issue.check(); err != nil {
		return "", err
	}
	now := s.now().UTC()
	issue.ID = uuid.NewString()
	err = s.db.Tx(ctx, func(tx *store.Tx) error {
		if err := takeTurn(ctx, tx, who, now); err != nil {
			return err
		}
		if issue.KeyID == "" {
			if err := takeTurn(ctx, tx, keylessWho, now); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, "INSERT INTO map_issues (id, key_id, at, lat, lon, category, note, contact) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
			issue.ID, issue.KeyID, now.UnixMilli(), issue.Lat, issue.Lon, issue.Category, issue.Note, issue.Contact)
		return err
	})
	if err != nil {
		return "", store.Unavailable(err)
	}
	return issue.ID, nil
}

// takeTurn counts one report of who, or refuses it.
func takeTurn(ctx context.Context, tx *store.Tx, who string, now time.Time) error {
	day := now.Format(time.DateOnly)
	salt, err := saltOf(ctx, tx, day, now)
	if err != nil {
		return err
	}
	limit, without := IssuesPerDay, ""
	if who == keylessWho {
		limit, without = KeylessIssuesPerDay, " without a key"
	}
	hash := sha256.Sum256([]byte(salt + who))
	counted, err := tx.Exec(ctx, `INSERT INTO map_issue_days (day, who, n) VALUES ($1, $2, 1)
		ON CONFLICT (day, who) DO UPDATE SET n = map_issue_days.n + 1 WHERE map_issue_days.n < $3`,
		day, hex.EncodeToString(hash[:]), limit)
	if err != nil || counted == 1 {
		return err
	}
	midnight := now.Truncate(24 * time.Hour).Add(24 * time.Hour)
	return fault.New(fault.MapIssueVelocity, "%d map issues were reported today%s and %d a day are taken; try again after midnight UTC", limit, without, limit).
		With("limit", limit).With("retry_after", seconds(midnight.Sub(now)))
}

// saltOf returns the salt of a day. Who makes it also clears the days before
// yesterday; yesterday stays for a replica whose clock is behind.
func saltOf(ctx context.Context, tx *store.Tx, day string, now time.Time) (salt string, err error) {
	made, err := tx.Exec(ctx, "INSERT INTO map_issue_salts (day, salt) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING", day, rand.Text())
	if err != nil {
		return "", err
	}
	if made == 1 {
		over := now.AddDate(0, 0, -1).Format(time.DateOnly)
		_, err := tx.Exec(ctx, "DELETE FROM map_issue_days WHERE day < $1", over)
		_, err2 := tx.Exec(ctx, "DELETE FROM map_issue_salts WHERE day < $1", over)
		if err := errors.Join(err, err2); err != nil {
			return "", err
		}
	}
	err = tx.QueryRow(ctx, "SELECT salt FROM map_issue_salts WHERE day = $1", day).Scan(&salt)
	return salt, err
}

// MapIssues gives reports, newest first, and how many there are. limit is 1 to
// MostListed.
func (s *Service) MapIssues(ctx context.Context, limit, offset int) (issues []MapIssue, total int64, err error) {
	if err := page(limit, offset); err != nil {
		return nil, 0, err
	}
	if err := s.db.QueryRow(ctx, "SELECT COUNT(*) FROM map_issues").Scan(&total); err != nil {
		return nil, 0, store.Unavailable(err)
	}
	rows, err := s.db.Query(ctx, "SELECT id, key_id, at, lat, lon, category, note, contact FROM map_issues ORDER BY at DESC, id DESC LIMIT $1 OFFSET $2", limit, offset)
	if err != nil {
		return nil, 0, store.Unavailable(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var i MapIssue
		var at int64
		if err := rows.Scan(&i.ID, &i.KeyID, &at, &i.Lat, &i.Lon, &i.Category, &i.Note, &i.Contact); err != nil {
			return nil, 0, store.Unavailable(err)
		}
		i.At = time.UnixMilli(at).UTC()
		issues = append(issues, i)
	}
	return issues, total, store.Unavailable(rows.Err())
}
