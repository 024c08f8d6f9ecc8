// Package feedback takes what callers report: errors of the map, and retros of
// an integration.
package feedback

import (
	"context"
	"embed"
	"log/slog"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Service keeps reports in its own tables. Its methods are safe for concurrent
// use, also by several replicas on one database.
type Service struct {
	db  *store.DB
	now func() time.Time
}

// New makes a Service and brings its tables to the newest version; now is nil for
// the clock.
func New(ctx context.Context, db *store.DB, now func() time.Time, log *slog.Logger) (*Service, error) {
	if err := db.MigrateFolder(ctx, "feedback", migrations, log); err != nil {
		return nil, err
	}
	if now == nil {
		now = time.Now
	}
	return &Service{db, now}, nil
}

// MostListed is the most that one listing gives.
const MostListed = 500

// page checks the part of a listing that is requested.
func page(limit, offset int) error {
	var wrong []fault.Violation
	if limit < 1 || limit > MostListed {
		wrong = append(wrong, fault.Violation{Location: "limit", Value: limit, Message: "must be 1 to 500"})
	}
	if offset < 0 {
		wrong = append(wrong, fault.Violation{Location: "offset", Value: offset, Message: "must be 0 or more"})
	}
	return fault.Invalid(wrong...)
}

// seconds rounds a wait up to whole seconds, at least one.
func seconds(wait time.Duration) int {
	return max(1, int((wait+time.Second-1)/time.Second))
}
