package clearance

import (
	"context"

	"github.com/waygate/waygate/clearance/artefact"
)

// Inventory lists the artefacts that are configured.
type Inventory struct {
	Enabled   bool  `json:"enabled" doc:"false makes the clearance endpoint answer 501"`
	Artefacts []Row `json:"artefacts" nullable:"false" doc:"by dataset, of the first 1,000 datasets"`
}

// Row is an artefact.
type Row struct {
	Dataset   string   `json:"dataset"`
	Artefact  string   `json:"artefact"`
	Status    string   `json:"status" enum:"ok,unreadable"`
	Stale     bool     `json:"stale" doc:"a source is not confirmed, none is declared, or the artefact was built from one that is not declared: nothing passes on it"`
	Declared  int      `json:"sources_declared" doc:"in the manifest"`
	Confirmed int      `json:"sources_confirmed" doc:"whose file in the store has the declared SHA-256"`
	CellSize  *float64 `json:"cell_size_m" doc:"metres along the road; null where the artefact is unreadable, as of the members that follow"`
	CRS       *int     `json:"crs_epsg"`
	Grid      *Grid    `json:"grid" doc:"origin and extent of the cells, in metres of the reference system"`
	QA        *QA      `json:"qa" doc:"figures of quality over the whole artefact"`
	Dates     *string  `json:"survey_dates" doc:"from/to, ISO 8601"`
	Datum     *string  `json:"vertical_datum"`
	Error     string   `json:"error,omitempty" doc:"of unreadable: why"`
}

// Grid is where the cells are.
type Grid struct {
	_ struct{} `nullable:"true"`
	artefact.Grid
}

// QA are figures of quality.
type QA struct {
	_ struct{} `nullable:"true"`
	artefact.QA
}

// Inventory lists all artefacts, for operators.
func (s *Service) Inventory(ctx context.Context) (*Inventory, error) {
	held, err := s.holdings(ctx)
	if err != nil {
		return nil, err
	}
	out := &Inventory{Enabled: len(held.all) > 0, Artefacts: []Row{}}
	for _, h := range held.all {
		row := Row{Dataset: h.Dataset, Artefact: h.Artefact, Status: "ok", Stale: h.stale, Declared: len(h.Sources), Confirmed: h.confirmed}
		if h.opened == nil {
			row.Status, row.Error = "unreadable", h.err.Error()
			out.Artefacts = append(out.Artefacts, row)
			continue
		}
		o := &h.opened.file.Header
		row.CellSize, row.CRS, row.Grid, row.QA = &o.Grid.Cell, &o.EPSG, &Grid{Grid: o.Grid}, &QA{QA: o.QA}
		dates := o.SurveyDates()
		row.Dates, row.Datum = &dates, &o.Vertical
		out.Artefacts = append(out.Artefacts, row)
	}
	return out, nil
}
