package weather

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/parallel"
)

// Bounds of asking a server.
const (
	cellsEach   = 10 // of a degree
	freshFor    = time.Hour
	mostHeld    = 10_000           // cells
	askTimeout  = 8 * time.Second  // of one call
	mostCalls   = 32               // for one route
	atOnce      = 4                // calls, of all routes together
	longestWait = 10 * time.Second // of one route
	restAfter   = 30 * time.Second
	longestRest = 10 * time.Minute
)

// cell is a square of a tenth of a degree, by its number from west and south.
type cell struct {
	Lon int16 `json:"lon"`
	Lat int16 `json:"lat"`
}

func cellOf(p geo.Point) cell {
	return cell{int16(math.Floor(p.Lon * cellsEach)), int16(math.Floor(p.Lat * cellsEach))}
}

func (c cell) middle() geo.Point {
	return geo.Point{Lon: (float64(c.Lon) + 0.5) / cellsEach, Lat: (float64(c.Lat) + 0.5) / cellsEach}
}

// Cells fetches the forecasts of cells from a server and keeps each for an hour. It implements
// feed.Member.
type Cells struct {
	source feed.Source
	client *http.Client
	agent  string
	now    func() time.Time
	seats  chan struct{}
	log    *slog.Logger

	dir     string     // where answers are kept; "" keeps none
	keeping sync.Mutex // of dir, and of what follows
	swept   time.Time
	onDisk  int // files

	mu       sync.Mutex
	held     map[cell]*entry
	failures int
	failure  string
	rest     time.Time // when it is tried again after it failed
	last     time.Time // that it answered
}

// entry is the forecast of a cell, or what is on its way.
type entry struct {
	done   chan struct{}
	series *Series // nil where it could not be had
	until  time.Time
}

// NewCells makes one of a source whose format says which server it is.
func NewCells(o feed.Options, s feed.Source) (*Cells, error) {
	u, err := url.Parse(s.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("feed %s: %q is no http or https address", s.ID, s.Shown())
	}
	if s.Format != OpenMeteo && s.Format != METNorway {
		return nil, fmt.Errorf("feed %s: format %q is neither %s nor %s, which are asked by place", s.ID, s.Format, OpenMeteo, METNorway)
	}
	c := &Cells{source: s, client: feed.Client(&s), agent: cmp.Or(o.Agent, "waygate"), now: o.Now, seats: make(chan struct{}, atOnce), held: map[cell]*entry{}, log: cmp.Or(o.Log, slog.Default())}
	if o.Dir != "" {
		c.dir = filepath.Join(o.Dir, s.ID)
	}
	if c.now == nil {
		c.now = time.Now
	}
	return c, nil
}

// Source returns the source that cells are fetched from.
func (c *Cells) Source() *feed.Source { return &c.source }

// Near returns the forecasts for places, by place; nil where there is none. It waits
// for the server for some seconds at the most, and requests no more than 32
// documents.
func (c *Cells) Near(ctx context.Context, places []geo.Point) []*Series {
	entries := make([]*entry, len(places))
	var missing []cell
	now := c.now()
	c.mu.Lock()
	tired := now.Before(c.rest)
	for i, p := range places {
		at := cellOf(p)
		e := c.held[at]
		if e != nil && (e.pending() || now.Before(e.until)) {
			entries[i] = e
			continue
		}
		if tired || len(missing) >= c.most() {
			continue
		}
		e = &entry{done: make(chan struct{}), until: now.Add(freshFor)}
		c.held[at], entries[i] = e, e
		missing = append(missing, at)
	}
	c.trim(now)
	c.mu.Unlock()
	if len(missing) > 0 {
		// Others may wait for the same: they are not let down by who goes away.
		parallel.Go(func() { c.fetch(context.WithoutCancel(ctx), missing) }, func(*parallel.Panic) {})
	}
	wait := time.NewTimer(longestWait)
	defer wait.Stop()
	out := make([]*Series, len(places))
	for i, e := range entries {
		if e == nil {
			continue
		}
		select {
		case <-e.done:
			out[i] = e.series
		case <-wait.C:
			wait.Reset(0) // what is not there by now is not waited for either
		case <-ctx.Done():
		}
	}
	return out
}

func (e *entry) pending() bool {
	select {
	case <-e.done:
		return false
	default:
		return true
	}
}

// most returns how many cells one route may ask for.
func (c *Cells) most() int {
	if c.source.Format == OpenMeteo {
		return 100 // in one call
	}
	return mostCalls
}

// trim lets go of cells that are no longer fresh, and where there are too many of
// any. c.mu is held.
func (c *Cells) trim(now time.Time) {
	if len(c.held) <= mostHeld {
		return
	}
	for at, e := range c.held {
		if !e.pending() && !now.Before(e.until) {
			delete(c.held, at)
		}
	}
	for at, e := range c.held {
		if len(c.held) <= mostHeld*9/10 {
			return
		}
		if !e.pending() {
			delete(c.held, at)
		}
	}
}

// fetch requests the cells whose entries wait. They are all done when it returns.
func (c *Cells) fetch(ctx context.Context, cells []cell) {
	if c.source.Format == OpenMeteo {
		c.ask(ctx, cells)
		return
	}
	var calls parallel.Group
	for _, one := range cells {
		calls.Go(func() { c.ask(ctx, []cell{one}) })
	}
	calls.Wait()
}

// errResting is returned for calls that are not made, as one before them failed.
var errResting = errors.New("the server failed a moment ago")

// ask makes one call.
func (c *Cells) ask(ctx context.Context, cells []cell) {
	var list []Series
	err := errors.New("it failed")
	defer func() { c.put(cells, list, err) }()
	c.seats <- struct{}{}
	defer func() { <-c.seats }()
	c.mu.Lock()
	tired := c.now().Before(c.rest)
	c.mu.Unlock()
	if tired {
		err = errResting
		return
	}
	ctx, cancel := context.WithTimeoutCause(ctx, askTimeout, fmt.Errorf("not answered within %s", askTimeout))
	defer cancel()
	list, err = c.answer(ctx, cells)
}

// answer calls, reads what comes, and keeps it.
func (c *Cells) answer(ctx context.Context, cells []cell) ([]Series, error) {
	text, err := c.call(ctx, cells)
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, err
	}
	now := c.now()
	list, err := decode(text, now)
	if err != nil {
		return nil, err
	}
	if len(list) != len(cells) {
		return nil, fmt.Errorf("it answers for %d of %d places", len(list), len(cells))
	}
	for i := range list {
		if len(list[i].Steps) > mostHours {
			return nil, fmt.Errorf("it answers with %d times for one place, the limit is %d", len(list[i].Steps), mostHours)
		}
	}
	if err := c.writeAnswer(&kept{c.source.URL, now, cells, text}); err != nil {
		c.log.Warn("forecasts cannot be kept for a restart", "feed", c.source.ID, "error", err)
	}
	return list, nil
}

// put ends the waiting for cells.
func (c *Cells) put(cells []cell, list []Series, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if err != nil && !errors.Is(err, errResting) {
		c.failures++
		c.failure = err.Error()
		wait := restAfter
		for range min(c.failures-1, 10) {
			wait = min(2*wait, longestRest)
		}
		c.rest = now.Add(wait)
	} else if err == nil {
		c.failures, c.failure, c.last, c.rest = 0, "", now, time.Time{}
	}
	for i, at := range cells {
		e := c.held[at]
		if e == nil || !e.pending() {
			continue
		}
		if err == nil {
			e.series = &list[i]
		} else {
			e.until = now // a fetch that failed is tried again after its rest
		}
		close(e.done)
	}
}

// Bounds of one answer: those of a hundred cells have a megabyte, and 168 hours each.
const (
	mostAnswer = 4 << 20 // bytes
	mostHours  = 400     // of one cell
)

func (c *Cells) call(ctx context.Context, cells []cell) ([]byte, error) {
	u, err := url.Parse(c.source.URL)
	if err != nil {
		return nil, errors.New("its address cannot be read")
	}
	q := u.Query()
	var lat, lon []string
	for _, at := range cells {
		p := at.middle()
		lat, lon = append(lat, fmt.Sprintf("%.2f", p.Lat)), append(lon, fmt.Sprintf("%.2f", p.Lon))
	}
	if c.source.Format == OpenMeteo {
		q.Set("latitude", strings.Join(lat, ","))
		q.Set("longitude", strings.Join(lon, ","))
		q.Set("hourly", "temperature_2m,wind_speed_10m,wind_direction_10m,wind_gusts_10m,rain,showers,snowfall,visibility,weather_code")
		q.Set("wind_speed_unit", "ms")
		q.Set("timeformat", "unixtime")
		q.Set("forecast_days", "7")
	} else {
		q.Set("lat", lat[0])
		q.Set("lon", lon[0])
	}
	u.RawQuery = q.Encode()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", c.agent)
	for name, value := range c.source.Headers {
		r.Header.Set(name, value)
	}
	answer, err := c.client.Do(r)
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err // its address may hold a key
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusNonAuthoritativeInfo {
		return nil, fmt.Errorf("the server answers %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostAnswer+1))
	if err != nil {
		return nil, err
	}
	if len(text) > mostAnswer {
		return nil, fmt.Errorf("it has more than %d bytes", mostAnswer)
	}
	return text, nil
}

// Status returns the state of the server, by its last answers.
func (c *Cells) Status() feed.Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := feed.Status{
		ID: c.source.ID, Kind: c.source.Kind, Name: c.source.Title(), Source: c.source.Shown(), Format: c.source.Format, Licence: c.source.Licence,
		State: feed.Waiting, Rejects: []feed.Reject{}, Failures: c.failures, Error: c.failure,
	}
	for _, e := range c.held {
		if !e.pending() && e.series != nil {
			s.Records++
		}
	}
	if !c.last.IsZero() {
		at, age := c.last.UTC(), max(0, c.now().Sub(c.last).Seconds())
		s.At, s.Checked, s.AgeS, s.State = &at, &at, &age, feed.OK
	}
	switch {
	case c.failure != "" && s.Records > 0:
		s.State = feed.Failing
	case c.failure != "":
		s.State = feed.Down
	}
	return s
}

// Run does nothing until ctx ends: forecasts are fetched as they are needed.
func (c *Cells) Run(ctx context.Context) { <-ctx.Done() }
