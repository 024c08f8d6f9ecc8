package plan

import (
	"fmt"
	"strings"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// MostPublished is how many stops a published plan may have.
const MostPublished = 1000

// PublishRequest is the body of POST /v1/plans and PUT /v1/plans/{id}: a plan for drivers to follow.
type PublishRequest struct {
	Name     string           `json:"name" minLength:"1" maxLength:"200" trim:"true" doc:"for people"`
	Begins   time.Time        `json:"begins_at,omitzero" doc:"when second 0 of the plan's times is: RFC 3339; clocks are shown in its offset from UTC. Missing is the beginning of today in UTC"`
	KeepDays int              `json:"keep_days,omitempty" minimum:"1" maximum:"30" default:"7" unit:"days" doc:"how long after the day that begins_at begins the plan, its links and what drivers have reported are kept"`
	Rounds   []PublishedRound `json:"rounds" minItems:"1" maxItems:"200" of:"rounds" doc:"at most 1,000 stops in all"`
}

// PublishedRound is the stops of one vehicle.
type PublishedRound struct {
	Vehicle FleetID         `json:"vehicle" doc:"its id"`
	Name    string          `json:"name,omitempty" maxLength:"200" doc:"for people; the id without it"`
	Costing costing.Costing `json:"costing,omitempty" default:"auto" doc:"way of travel, for navigation"`
	Stops   []PublishedStop `json:"stops" minItems:"1" maxItems:"1000" of:"stops" doc:"in the order in which they are served"`
}

// PublishedStop is a stop of a driver. Times are seconds from begins_at.
type PublishedStop struct {
	ID      FleetID `json:"id" doc:"differs from those of all other stops of the plan"`
	Name    string  `json:"name,omitempty" maxLength:"200"`
	Address string  `json:"address,omitempty" maxLength:"300"`
	Note    string  `json:"note,omitempty" maxLength:"1000" doc:"what the driver is to know"`
	native.Position
	Arrival int64         `json:"arrival_s" minimum:"-604800" maximum:"2678400" unit:"seconds" doc:"as planned"`
	Begin   int64         `json:"begin_s" minimum:"-604800" maximum:"2678400" unit:"seconds" doc:"when the work is planned to begin, from arrival_s on"`
	End     int64         `json:"end_s" minimum:"-604800" maximum:"2678400" unit:"seconds" doc:"when it is planned to end, from begin_s on"`
	Windows []FleetWindow `json:"time_windows,omitempty" maxItems:"64" of:"windows" doc:"in which the work is to begin: [start, end], sorted and apart"`
}

// Check checks what depends on several members.
func (s *PublishedStop) Check(c *schema.Context) {
	apart(c, "time_windows", s.Windows)
	if s.Begin < s.Arrival {
		c.Refuse("begin_s", s.Begin, "is before arrival_s (%d)", s.Arrival)
	}
	if s.End < s.Begin {
		c.Refuse("end_s", s.End, "is before begin_s (%d)", s.Begin)
	}
}

// without0 refuses texts with a character that databases do not take.
func without0[T ~string](c *schema.Context, name string, text T) {
	if strings.ContainsRune(string(text), 0) {
		c.Refuse(name, text, "must not have the character U+0000")
	}
}

// Check checks what depends on several members.
func (r *PublishRequest) Check(c *schema.Context) {
	without0(c, "name", r.Name)
	vehicles, stops := map[FleetID]int{}, map[FleetID]string{}
	for i := range r.Rounds {
		round := &r.Rounds[i]
		if before, twice := vehicles[round.Vehicle]; twice {
			c.Refuse(fmt.Sprintf("rounds[%d].vehicle", i), round.Vehicle, "is that of rounds[%d] too: a vehicle has one round", before)
		}
		vehicles[round.Vehicle] = i
		without0(c, fmt.Sprintf("rounds[%d].vehicle", i), round.Vehicle)
		for k := range round.Stops {
			at, id := fmt.Sprintf("rounds[%d].stops[%d]", i, k), round.Stops[k].ID
			if before, twice := stops[id]; twice {
				c.Refuse(at+".id", id, "is that of %s too: ids must differ", before)
			}
			stops[id] = at
			without0(c, at+".id", id)
		}
	}
	if n := len(stops); n > MostPublished {
		c.Refuse("rounds", n, "have %d stops in all, at most %d are taken", n, MostPublished)
	}
}

// LinkRequest is the body of POST /v1/plans/{id}/links: one of both members.
type LinkRequest struct {
	Vehicle FleetID `json:"vehicle,omitempty" doc:"whose driver gets a link"`
	Stop    FleetID `json:"stop,omitempty" doc:"whose arrival a link shows"`
}

// Check checks that there is one of both.
func (r *LinkRequest) Check(c *schema.Context) {
	without0(c, "vehicle", r.Vehicle)
	without0(c, "stop", r.Stop)
	native.OneOf(c, "whose link it is", native.Way{Name: "vehicle", Given: r.Vehicle != ""}, native.Way{Name: "stop", Given: r.Stop != ""})
}

// MarkRequest is the body of POST /v1/driver/marks.
type MarkRequest struct {
	Marks []StopMark `json:"marks" minItems:"1" maxItems:"200" of:"marks"`
}

// StopMark is what a driver reports of a stop.
type StopMark struct {
	Stop  FleetID   `json:"stop" doc:"its id"`
	State string    `json:"state" enum:"done,failed,open" doc:"open takes back what was reported before"`
	At    time.Time `json:"at,omitzero" doc:"when it was so, by the driver's clock: RFC 3339. One in the future, or more than a day before the plan begins, is taken as now, and so is a missing one"`
	Note  string    `json:"note,omitempty" maxLength:"500" trim:"true" doc:"for the planner"`
}
