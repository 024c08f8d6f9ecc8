// Command mutate measures how much of the code the tests cover: it plants faults, one at a
// time, and lists those that the package's own tests do not notice: scripts/mutate.sh.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

const usage = `usage: scripts/mutate.sh [FLAGS] [PACKAGE...]

Plants faults at random places of the packages that changed since a date or a commit, or
of those given, and runs the package's own tests on each: conditions are turned round or
never hold, guards and statements are left out, numbers are off by one. Generated code,
packages for tests, and what only logs or measures are left alone. It prints each fault,
whether the tests caught it, and the share that was caught. A fault that does not compile
does not count, one that hangs was caught. The working tree is never written to. What tests
need must be there, as after make test: those that are skipped catch nothing.

`

func main() {
	var o options
	var skip string
	flag.StringVar(&o.since, "since", "6 months ago", "a date that git understands, or a `commit`")
	flag.IntVar(&o.count, "n", 200, "how many `faults` to plant; those of packages that are left out are among them")
	flag.Uint64Var(&o.seed, "seed", rand.Uint64N(1_000_000), "what decides which faults are planted")
	flag.DurationVar(&o.slowest, "slowest", 20*time.Second, "leave out packages whose tests take longer")
	flag.IntVar(&o.workers, "workers", 1, "how many packages to try at once")
	flag.StringVar(&o.again, "again", "", "plant once more what survived by this `file`, the output of an earlier run")
	flag.StringVar(&skip, "skip", "", "leave out packages whose folder matches this `pattern`")
	flag.Usage = func() {
		_, _ = fmt.Fprint(flag.CommandLine.Output(), usage)
		flag.PrintDefaults()
	}
	flag.Parse()
	var err error
	if o.skip, err = regexp.Compile(skip); err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		err = run(ctx, log.New(os.Stdout, "", 0), o, flag.Args())
		stop()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

type options struct {
	since   string
	count   int
	seed    uint64
	slowest time.Duration
	workers int
	skip    *regexp.Regexp
	again   string
}

func run(ctx context.Context, out *log.Logger, o options, patterns []string) error {
	out.Printf("seed %d", o.seed)
	root, err := output(ctx, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	var changed map[string]bool
	if len(patterns) == 0 {
		patterns = []string{"./..."}
		if changed, err = since(ctx, o.since); err != nil {
			return err
		}
	}
	all, err := packages(ctx, strings.TrimSpace(root), patterns)
	if err != nil {
		return err
	}
	var chosen []*tested
	for _, p := range all {
		if o.skip.String() != "" && o.skip.MatchString(p.folder) || changed != nil && !changed[p.folder] {
			continue
		}
		chosen = append(chosen, p)
	}
	random := rand.New(rand.NewPCG(o.seed, 0))
	if o.again == "" {
		share(random, chosen, o.count)
	} else if err := survived(chosen, o.again); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()

	queue := make(chan *tested)
	var each sync.WaitGroup
	for i := range max(1, o.workers) {
		r := runner{out: out, dir: filepath.Join(scratch, fmt.Sprint(i)), slowest: o.slowest}
		if err := os.Mkdir(r.dir, 0o755); err != nil {
			return err
		}
		each.Go(func() {
			for p := range queue {
				r.try(ctx, p)
			}
		})
	}
	random.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	for _, p := range chosen {
		if p.quota > 0 && ctx.Err() == nil {
			queue <- p
		}
	}
	close(queue)
	each.Wait()
	report(out, chosen)
	return ctx.Err()
}

// share spreads the faults over all places evenly, so that the share caught is one of
// the code and not of its packages.
func share(random *rand.Rand, all []*tested, count int) {
	var places []*tested
	for _, p := range all {
		random.Shuffle(len(p.faults), func(i, j int) { p.faults[i], p.faults[j] = p.faults[j], p.faults[i] })
		for range p.faults {
			places = append(places, p)
		}
	}
	random.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	for _, p := range places[:min(count, len(places))] {
		p.quota++
	}
}

// survived leaves those faults that survived by a run's output.
func survived(all []*tested, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	lines := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if f, is := strings.CutPrefix(strings.TrimSpace(line), survivor+" "); is {
			lines[f] = true
		}
	}
	for _, p := range all {
		p.faults = slices.DeleteFunc(p.faults, func(f fault) bool { return !lines[f.String()] })
		p.quota = len(p.faults)
	}
	return nil
}

// survivor begins the line of a fault that no test noticed.
const survivor = "SURVIVED"

func report(out *log.Logger, all []*tested) {
	var caught, planted int
	out.Println("\nsurvivors:")
	for _, p := range all {
		for _, f := range p.survivors {
			out.Printf("  %s", f)
		}
		caught, planted = caught+p.caught, planted+p.planted
	}
	out.Println("\ncaught, by package:")
	for _, p := range all {
		if p.planted > 0 {
			out.Printf("  %3d of %3d  %s", p.caught, p.planted, p.folder)
		}
	}
	if planted > 0 {
		out.Printf("\n%d of %d faults were caught: %.1f %%", caught, planted, 100*float64(caught)/float64(planted))
	}
}
