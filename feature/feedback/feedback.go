// Package feedback takes what callers report: errors of the map, and retros of
// an integration.
package feedback

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/waygate/waygate/store"
)

// Desk keeps reports in its own tables.
type Desk struct {
	db  *store.DB
	now func() time.Time
}

// New makes a desk and brings its tables to the newest version; now is nil for
// the clock.
func New(ctx context.Context, db *store.DB, now func() time.Time, log *slog.Logger) (*Desk, error) {
	return &Desk{db, now}, nil
}

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

// Report keeps a map issue and gives its id. It refuses bad-request, and
// map-issue-velocity above 50 for a key (or, without one, for a client network)
// in a UTC day.
func (d *Desk) Report(ctx context.Context, who string, issue MapIssue) (id string, err error) {
	return "", errors.ErrUnsupported
}

// Retro is what an integration taught its author.
type Retro struct {
	ID         string
	KeyID      string
	At         time.Time
	WhatBuilt  string
	Problems   []Problem
	Gotchas    []string
	Wins       []string
	DocsGaps   []string
	AgentName  string
	SDKVersion string
}

// Problem is one of a Retro's.
type Problem struct {
	Area            string `json:"area"`
	Description     string `json:"description"`
	WorkaroundFound bool   `json:"workaround_found"`
}

// Submit keeps a retro and gives its id. It refuses bad-request, and
// feedback-velocity above 5 for a key in 24 hours.
func (d *Desk) Submit(ctx context.Context, r Retro) (id string, err error) {
	return "", errors.ErrUnsupported
}

// MapIssues gives reports, newest first, and how many there are.
func (d *Desk) MapIssues(ctx context.Context, limit, offset int) ([]MapIssue, int64, error) {
	return nil, 0, errors.ErrUnsupported
}

// Retros gives retros, newest first, and how many there are.
func (d *Desk) Retros(ctx context.Context, limit, offset int) ([]Retro, int64, error) {
	return nil, 0, errors.ErrUnsupported
}
