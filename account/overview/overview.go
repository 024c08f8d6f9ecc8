// Package overview computes what an operator sees at a glance, from the rows.
package overview

import (
	"context"
	"errors"
	"time"

	"github.com/waygate/waygate/store"
)

// Options make an Overview. DB is required.
type Options struct {
	DB                  *store.DB
	MaxIssuancesPerHour int
	UnitPrice           int64 // millipence
	Plans               []PlanPrice
	DemoRPM             int
	Now                 func() time.Time
}

// PlanPrice is what a plan bills.
type PlanPrice struct {
	Name         string
	MonthlyPence int64
}

// Overview reads.
type Overview struct{ options Options }

// New makes an overview.
func New(o Options) *Overview { return &Overview{o} }

// Blocks are those of GET /admin/overview; their JSON is the contract's.
type Blocks struct {
	GeneratedAt time.Time `json:"generated_at"`
}

// Overview computes the blocks.
func (o *Overview) Overview(ctx context.Context) (*Blocks, error) { return nil, errors.ErrUnsupported }

// Commercial is GET /admin/commercial but for the demo lane's clients, which
// the gate knows.
type Commercial struct {
	GeneratedAt time.Time `json:"generated_at"`
}

// Commercial computes it.
func (o *Overview) Commercial(ctx context.Context) (*Commercial, error) {
	return nil, errors.ErrUnsupported
}
