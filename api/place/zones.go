package place

import (
	"context"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/zones"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

type zonesIn struct {
	Warnings schema.Warnings
	Geometry bool `query:"geometry" doc:"adds simplified boundary rings"`
}

var zonesDoc = edge.Doc{
	Summary: "Clean-air and low-emission zones", Tags: []string{"ground"},
	Description: "Every zone that is known here: whom it charges or bans, when and how much, and where that and its boundary are known from, each with its own licence and the day it was checked. " +
		"Zones of the map have no rules. An empty list says that none are known here, not that there are none.",
}

// Zones are the clean-air zones that are known.
type Zones struct {
	Count    int                    `json:"count"`
	Zones    []zones.Listed         `json:"zones" nullable:"false"`
	Note     string                 `json:"note"`
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

// zoneList lists zones; now is the time by which their age is judged.
type zoneList struct{ now func() time.Time }

func (l zoneList) answer(ctx context.Context, in *zonesIn) (*Zones, error) {
	w, err := edge.WorldOf(ctx)
	if err != nil {
		return nil, err
	}
	list := zones.List(w.Zones(), in.Geometry, l.now())
	note := "rules are those of the files that this deployment was given, as of the day each was checked; a place in none of these zones may lie in one that is not known here"
	return &Zones{len(list), list, note, native.AnswerWarnings(in.Warnings...)}, nil
}
