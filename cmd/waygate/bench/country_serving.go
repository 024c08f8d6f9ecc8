package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/waygate/waygate/bench"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/graph"
)

// closedShare is the share of a region's edges that the feed of a country's last rounds
// closes.
const closedShare = 0.001

// serve starts servers of the country, one after the other, and sends them requests.
func (c *benchCountry) serve(ctx context.Context, dir string) (err error) {
	work, err := os.MkdirTemp(c.Out, "serving")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	sets, err := c.draw(dir, filepath.Join(work, "closures.csv"))
	if err != nil {
		return err
	}
	err = served(ctx, dir, work, nil, []bench.Round{
		{Name: "routes from cold start on", Set: sets.routes, Clients: 1},
		{Name: "routes again", Set: sets.routes, Clients: 1},
		{Name: "routes with two alternates", Set: sets.alternates, Clients: 1},
		{Name: "isochrones of 15 minutes", Set: sets.isochrones, Clients: 1},
		{Name: "routes", Set: sets.routes, Clients: 64},
	})
	if err != nil {
		return err
	}
	fmt.Printf("%.1f %% of all edges closed by a feed:\n", 100*closedShare)
	return served(ctx, dir, work, []string{"SVC_TRAFFIC=" + filepath.Join(work, "closures.csv")}, []bench.Round{
		{Name: "routes past closures", Set: sets.routes, Clients: 1},
		{Name: "routes past closures again", Set: sets.routes, Clients: 1},
	})
}

type countrySets struct{ routes, alternates, isochrones []bench.Request }

// draw makes the requests, and writes a feed that closes edges.
func (c *benchCountry) draw(dir, closures string) (sets countrySets, err error) {
	r, err := region.Open(dir)
	if err != nil {
		return sets, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	g, err := graph.Open(r)
	if err != nil {
		return sets, err
	}
	m := bench.NewMaker(g, costing.Auto, 1)
	// Pairs by distance rank would need a search over the whole country for each
	// place.
	ends, err := m.Matrices(1, 2*c.N)
	if err != nil {
		return sets, err
	}
	for p := range slices.Chunk(ends[0].Points, 2) {
		sets.routes = append(sets.routes, bench.Request{Kind: bench.Route, Costing: costing.Auto.String(), Points: p})
	}
	sets.alternates = append(sets.alternates, sets.routes[:max(2, c.N/10)]...)
	bench.Variant{Alternates: 2}.Apply(sets.alternates)
	if sets.isochrones, err = m.Isochrones(max(2, c.N/10), 15); err != nil {
		return sets, err
	}
	return sets, writeClosures(g, closures)
}

// writeClosures writes a table that closes edges drawn at random.
func writeClosures(g *graph.Graph, path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	_, err = fmt.Fprintln(w, "id,way,direction,closed")
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a drawn set, not a secret
	for i := range int(closedShare * float64(g.Base)) {
		way := g.WayID[r.IntN(g.Segments())]
		if _, e := fmt.Fprintf(w, "%d,%d,forward,true\n", i, way); err == nil {
			err = e
		}
	}
	return errors.Join(err, w.Flush(), f.Close())
}

// startLimit is how long a server may take until it answers.
const startLimit = 5 * time.Minute

// served starts a server of the region in dir with its data in work and some settings,
// reports how long that took, and sends it rounds.
func served(ctx context.Context, dir, work string, settings []string, rounds []bench.Round) (err error) {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	address, err := freeAddress(ctx)
	if err != nil {
		return err
	}
	serving := exec.CommandContext(ctx, self, "serve", "--region", dir, "--listen", address, "--data", filepath.Join(work, "data")) //nolint:gosec // this program
	serving.Env = append(os.Environ(), append([]string{"SVC_DEMO_RPM=1000000"}, settings...)...)
	serving.Cancel = func() error { return serving.Process.Signal(syscall.SIGTERM) }
	log, err := os.Create(filepath.Join(work, "log"))
	if err != nil {
		return err
	}
	serving.Stdout, serving.Stderr = log, log
	began := time.Now()
	if err := serving.Start(); err != nil {
		return err
	}
	defer func() {
		_ = serving.Process.Signal(syscall.SIGTERM)
		if e := serving.Wait(); err == nil {
			err = e
		}
		err = errors.Join(err, log.Close())
	}()
	s, err := bench.ParseServer(fmt.Sprintf("waygate=http://%s,pid=%d", address, serving.Process.Pid))
	if err != nil {
		return err
	}
	if err := answers(ctx, "http://"+address+"/health"); err != nil {
		text, _ := os.ReadFile(log.Name())
		return fmt.Errorf("waygate serve: %w: %.1000s", err, text)
	}
	fmt.Printf("server: ready after %s by the clock, %s of processor\n", time.Since(began).Round(time.Millisecond), s.Processor().Round(time.Millisecond))
	for i := range rounds {
		if err := rounds[i].Ask(ctx, s, os.Stdout); err != nil {
			return err
		}
	}
	return nil
}

// freeAddress returns a free address of this machine.
func freeAddress(ctx context.Context) (string, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// answers waits until a server answers.
func answers(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(r)
		if err == nil {
			err = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
