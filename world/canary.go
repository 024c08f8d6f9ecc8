package world

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine/canary"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region"
)

// Canary has a new region answer questions beside the one in service before it takes its
// place, and puts it on probation then. The zero value takes every region unasked.
type Canary struct {
	On        bool
	Questions []canary.Question // nil draws them from the region in service
	// Least is of how many junctions a region is from which questions are drawn, 1,000 where
	// it is 0: in a smaller one a single road alters many routes.
	Least int
}

// agrees has a new region answer the questions beside the one in service, and returns an
// error where too many are answered otherwise; its text stands after "it".
// Questions that lie outside the region in service are not counted, and a region of another
// id, which is of another territory, is not asked those drawn. Their bounds are wider: a
// newer extract, other heights and another version of the gateway make other times and ways.
func (o *Options) agrees(ctx context.Context, old, fresh *Region) error {
	if !o.Canary.On || old == nil || old.out() {
		return nil
	}
	questions, within := []canary.Question(nil), canary.KeptBounds
	for _, q := range o.Canary.Questions {
		if outside(old, q.Locations, 0) < 0 {
			questions = append(questions, q)
		}
	}
	if o.Canary.Questions == nil && old.ID == fresh.ID {
		questions, within = drawn(old.embedded, cmp.Or(o.Canary.Least, leastJunctions)), canary.DrawnBounds
	}
	out, err := canary.Compare(ctx, questions, canary.Of(old.plain), canary.Of(fresh.plain), within)
	if err != nil {
		return err
	}
	if !within.Accept(out) {
		return fmt.Errorf("answers %d of %d questions otherwise than the region in service (%s)", out.Otherwise, out.Asked, out.First)
	}
	o.Log.Info("a new region agrees with the one in service", "region", fresh.ID, "questions", out.Asked, "otherwise", out.Otherwise)
	return nil
}

// How many questions are drawn from a region, and of how many places the destination of every
// other one is the nearest.
const (
	mostDrawn = 100
	nearestOf = 32
	// leastJunctions is the Least of a Canary that has none.
	leastJunctions = 1000
)

// drawn draws questions from the junctions of a region, the same ones at every time: by car
// between any two, and by turns in every costing that has a vehicle between two that are near
// each other. nil without a region, or with one of fewer junctions than least.
func drawn(e *embedded.Engine, least int) (list []canary.Question) {
	if e == nil || e.Junctions() < least {
		return nil
	}
	places := e.Sample(mostDrawn * (nearestOf + 2) / 2)
	for i := 0; len(places) > 1 && i < mostDrawn; i++ {
		from := places[0]
		if places = places[1:]; i%2 == 0 {
			list = append(list, canary.Question{Costing: costing.Auto, Locations: []geo.Point{from, places[0]}})
			continue
		}
		some := places[:min(nearestOf, len(places))]
		to := some[0]
		for _, p := range some[1:] {
			if geo.Distance(from, p) < geo.Distance(from, to) {
				to = p
			}
		}
		places = places[len(some)-1:]
		list = append(list, canary.Question{Costing: nearby[i/2%len(nearby)], Locations: []geo.Point{from, to}})
	}
	return list
}

var nearby = [...]costing.Costing{costing.Auto, costing.Pedestrian, costing.Bicycle, costing.Truck}

// refusedError is why a region that was turned down is not opened.
type refusedError struct{ region.Refusal }

func (e *refusedError) Error() string {
	return "it was turned down on " + e.At.Format(time.DateOnly) + ", as it " + e.Reason + "; waygate verify --accept has it served"
}

// turnedDown returns a refusedError where a region was turned down in a folder. Verdicts that
// are not readable keep none out of service, and none counts where no region is compared.
func (o *Options) turnedDown(dir string, r *region.Region) error {
	if !o.Canary.On {
		return nil
	}
	v, err := region.ReadVerdicts(dir)
	if err != nil {
		o.Log.Error("which regions were turned down cannot be read: one of them may be in service", "dir", dir, "error", err)
	}
	if refusal := v.Of(r.SealedHash()); refusal != nil {
		return fmt.Errorf("the region in %s is not served: %w", dir, &refusedError{*refusal})
	}
	return nil
}

// accepted reports whether the operator has a region served whatever it answers.
func accepted(dir string, r *Region) bool {
	v, err := region.ReadVerdicts(dir)
	if err != nil {
		return false
	}
	return r.files != nil && slices.Contains(v.Accepted, r.files.SealedHash())
}

// keepServing keeps which region is in service in a folder, once it is no longer on probation.
func (o *Options) keepServing(f *folder) {
	if !o.Canary.On || f.before != nil || f.region.files == nil || f.region.Trouble() != "" {
		return
	}
	if err := region.Serve(f.dir, f.region.files.SealedHash()); err != nil {
		o.Log.Info("which region is in service cannot be kept in its folder: one that is imported while no server runs is not compared with it", "dir", f.dir, "error", err)
	}
}

// forgetServing forgets which region was in service in a folder where a server compares none: one
// that is imported from now on takes the place of the last to go back to, however old that is.
func (o *Options) forgetServing(f *folder) {
	if o.Canary.On {
		return
	}
	if err := region.Serve(f.dir, ""); err != nil {
		o.Log.Info("the region to go back to stays the one that was in service when regions were last compared", "dir", f.dir, "error", err)
	}
}

// unproven opens the region that was in service last in a folder, where another has been
// imported since, as while no server ran: it answers until Watch has compared that one with
// it. It is nil where nothing is to be compared, or that region cannot be opened.
func unproven(s *Set, f *folder) *Region {
	if !s.options.Canary.On {
		return nil
	}
	verdicts, err := region.ReadVerdicts(f.dir)
	if err != nil || verdicts.Serving == "" {
		return nil
	}
	now, err := region.ReadManifest(f.dir)
	if err != nil {
		return nil
	}
	hash := now.Hash()
	before, err := region.ReadPrevious(f.dir)
	if err != nil || before.Hash() != verdicts.Serving || hash == verdicts.Serving || verdicts.Of(hash) != nil || slices.Contains(verdicts.Accepted, hash) {
		return nil
	}
	files, err := region.OpenPrevious(f.dir)
	if err != nil {
		s.options.Log.Warn("the region that was in service last cannot be opened: the one imported since is not compared with it", "dir", f.dir, "error", err)
		return nil
	}
	r, err := s.enter(files)
	if err != nil {
		s.options.Log.Warn("the region that was in service last cannot be opened: the one imported since is not compared with it", "dir", f.dir, "error", err)
		return nil
	}
	s.options.Log.Info("a region was imported while no server ran: the one in service before answers until both are compared", "region", r.ID, "dir", f.dir, "imported", now.Built, "before", before.Built)
	f.waiting = true
	return r
}

// refuse keeps that a region was turned down, so that it is not served after a restart
// either, and notes it at the one in service.
func (o *Options) refuse(f *folder, hash, reason string, serving *Region) {
	r := region.Refusal{Hash: hash, At: time.Now().UTC().Truncate(time.Second), Reason: reason}
	serving.noteNewer(&refusedError{r})
	if err := region.Refuse(f.dir, r); err != nil {
		o.Log.Error("that a region was turned down cannot be kept in its folder: after a restart it is in service", "dir", f.dir, "error", err)
	}
}

// noteNewer notes that a newer region was turned down.
func (r *Region) noteNewer(why *refusedError) {
	r.condition.mu.Lock()
	defer r.condition.mu.Unlock()
	r.condition.newer = "the newest region of " + r.ID + " is not in service: " + why.Error()
}

// refusalOf returns why a region that was turned down is not opened; nil for another error.
func refusalOf(err error) *refusedError {
	var refused *refusedError
	errors.As(err, &refused)
	return refused
}
