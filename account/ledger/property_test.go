package ledger_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/schema"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

// slow is a ledger of one identity written in the plainest way.
type slow struct {
	credited int64
	holds    map[string]slowHold
	entries  []ledger.Entry
	reasons  map[string]int64 // balance after a credit
}

type slowHold struct {
	millipence int64
	until      time.Time
}

func (s *slow) balance() (sum int64) {
	for _, e := range s.entries {
		sum += e.Millipence
	}
	return sum
}

func (s *slow) held(now time.Time) (sum int64) {
	for _, h := range s.holds {
		if h.until.After(now) {
			sum += h.millipence
		}
	}
	return sum
}

func (s *slow) have(id string, now time.Time) int64 {
	if h := s.holds[id]; h.until.After(now) {
		return h.millipence
	}
	return 0
}

func (s *slow) keep(id string, millipence int64, now time.Time) {
	if millipence == 0 {
		delete(s.holds, id)
		return
	}
	s.holds[id] = slowHold{millipence, now.Add(ledger.HoldLife)}
}

func (s *slow) credit(millipence int64, reason string, now time.Time) (after int64, duplicate bool) {
	if after, ok := s.reasons[reason]; ok {
		return after, true
	}
	after = s.balance() + millipence
	s.credited += millipence
	s.reasons[reason] = after
	s.entries = append(s.entries, ledger.Entry{At: now, Kind: "credit", Millipence: millipence, BalanceAfter: after, Reason: reason, Source: "admin"})
	return after, false
}

func (s *slow) hold(id string, least, want int64, now time.Time) int64 {
	added := int64(0)
	if free := s.balance() - s.held(now); free >= least {
		added = min(want, free)
	}
	s.keep(id, s.have(id, now)+added, now)
	return added
}

func (s *slow) spend(id string, spent, release int64, now time.Time) int64 {
	have := s.have(id, now)
	booked := min(spent, have+s.balance()-s.held(now))
	s.keep(id, max(0, have-spent-release), now)
	if booked == 0 {
		return 0
	}
	reason := "usage " + now.Format(time.DateOnly)
	i := slices.IndexFunc(s.entries, func(e ledger.Entry) bool { return e.Reason == reason })
	if i < 0 {
		i = len(s.entries)
		s.entries = append(s.entries, ledger.Entry{Kind: "usage", Reason: reason})
	}
	e := &s.entries[i]
	e.At, e.Millipence = now, e.Millipence-booked
	e.BalanceAfter = s.balance()
	return booked
}

// Any order of credits, holds, spending, reaping and passing time gives what
// the slow ledger gives.
func TestAsTheSlowLedger(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address, schema.Apply)
		var identities int
		rapid.Check(t, func(rt *rapid.T) {
			identities++
			id := fmt.Sprintf("i%d", identities)
			identify(t, db, id)
			c := newClock()
			l, s := ledger.New(db, c.now), &slow{holds: map[string]slowHold{}, reasons: map[string]int64{}}
			name := func(what string) string {
				return id + rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, what)
			}
			amount := rapid.Int64Range(1, 100)
			agree := func(what string, got, want any, err error) {
				if err != nil || got != want {
					rt.Fatalf("%s: %v %v, want %v", what, got, err, want)
				}
			}
			step := map[string]func(*rapid.T){
				"credit": func(rt *rapid.T) {
					millipence, reason := amount.Draw(rt, "millipence"), name("reason")+fmt.Sprint(rapid.IntRange(0, 5).Draw(rt, "n"))
					got, err := l.Credit(t.Context(), id, millipence, reason, "admin")
					after, duplicate := s.credit(millipence, reason, c.now())
					if err != nil {
						rt.Fatal(err)
					}
					agree("credit", *got, ledger.Credited{IdentityID: id, Millipence: after, Duplicate: duplicate}, nil)
				},
				"hold": func(rt *rapid.T) {
					hold, least := name("hold"), rapid.Int64Range(0, 40).Draw(rt, "least")
					want := least + rapid.Int64Range(0, 60).Draw(rt, "more")
					got, err := l.Hold(t.Context(), id, hold, least, want)
					agree("hold", got, s.hold(hold, least, want, c.now()), err)
				},
				"spend": func(rt *rapid.T) {
					hold, spent, release := name("hold"), rapid.Int64Range(0, 80).Draw(rt, "spent"), rapid.Int64Range(0, 80).Draw(rt, "release")
					got := spend(t, db, l, id, hold, spent, release, c.now())
					agree("spend", got, s.spend(hold, spent, release, c.now()), nil)
				},
				"reap": func(rt *rapid.T) {
					if _, err := l.ReleaseExpired(t.Context()); err != nil {
						rt.Fatal(err)
					}
					b, err := l.Balance(t.Context(), id)
					agree("held once reaped", b.Held, s.held(c.now()), err)
				},
				"pass": func(rt *rapid.T) {
					c.pass(rapid.SampledFrom([]time.Duration{time.Second, ledger.HoldLife / 2, ledger.HoldLife, 13 * time.Hour}).Draw(rt, "time"))
				},
				"": func(rt *rapid.T) {
					b, err := l.Balance(t.Context(), id)
					agree("balance", b.Millipence, s.balance(), err)
					agree("credited", b.Credited, s.credited, nil)
					if err := adds(t.Context(), db, id); err != nil {
						rt.Fatal(err)
					}
				},
			}
			rt.Repeat(step)
			equalHistory(t, l, id, s.entries)
		})
	})
}

// adds checks what always holds for an identity, in one look at the database.
func adds(ctx context.Context, db *store.DB, id string) error {
	var balance, held, entries, holds, seqs, top int64
	err := db.QueryRow(ctx, `SELECT COALESCE(SUM(b.millipence), 0), COALESCE(SUM(b.held), 0),
			(SELECT COALESCE(SUM(e.millipence), 0) FROM entries e WHERE e.identity_id = $1),
			(SELECT COALESCE(SUM(h.millipence), 0) FROM holds h WHERE h.identity_id = $1),
			(SELECT COUNT(*) FROM entries e WHERE e.identity_id = $1),
			(SELECT COALESCE(MAX(e.seq), 0) FROM entries e WHERE e.identity_id = $1)
		FROM balances b WHERE b.identity_id = $1`, id).Scan(&balance, &held, &entries, &holds, &seqs, &top)
	if err != nil {
		return err
	}
	if balance != entries || held != holds || held < 0 || balance < held || seqs != top {
		return fmt.Errorf("balance %d of entries %d, held %d of holds %d, %d entries up to %d", balance, entries, held, holds, seqs, top)
	}
	return nil
}

// Replicas that do anything at once neither lose nor invent a millipenny, and
// none spends beyond the credit.
func TestAtOnce(t *testing.T) {
	const workers, rounds = 8, 40
	storetest.Each(t, func(t *testing.T, address string) {
		replicas := []*store.DB{storetest.Open(t, address, schema.Apply), storetest.Open(t, address)}
		ids := []string{"x", "y"}
		for _, id := range ids {
			identify(t, replicas[0], id)
		}
		c := newClock()
		type tally struct{ credited, booked atomic.Int64 }
		tallies := map[string]*tally{"x": {}, "y": {}}
		var all sync.WaitGroup
		for w := range workers {
			all.Go(func() {
				random := rand.New(rand.NewPCG(7, uint64(w)))
				db := replicas[w%2]
				l := ledger.New(db, c.now)
				for range rounds {
					id := ids[random.IntN(2)]
					hold := fmt.Sprintf("%s-%d", id, random.IntN(4))
					switch random.IntN(6) {
					case 0:
						millipence := 1 + random.Int64N(300)
						got, err := l.Credit(t.Context(), id, millipence, fmt.Sprint("reason ", random.IntN(60)), "admin")
						if err != nil {
							t.Error(err)
						} else if !got.Duplicate {
							tallies[id].credited.Add(millipence)
						}
					case 1, 2:
						least := random.Int64N(20)
						if added, err := l.Hold(t.Context(), id, hold, least, least+random.Int64N(90)); err != nil || added < 0 || added > 0 && added < least {
							t.Errorf("hold of at least %d: %d %v", least, added, err)
						}
					case 3, 4:
						spent := random.Int64N(90)
						booked := spend(t, db, l, id, hold, spent, random.Int64N(50), c.now())
						if booked < 0 || booked > spent {
							t.Errorf("booked %d of %d", booked, spent)
						}
						tallies[id].booked.Add(booked)
					case 5:
						c.pass(ledger.HoldLife / 8)
						if _, err := l.ReleaseExpired(t.Context()); err != nil {
							t.Error(err)
						}
					}
					if err := adds(t.Context(), db, id); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		c.pass(ledger.HoldLife)
		l := ledger.New(replicas[1], c.now)
		if _, err := l.ReleaseExpired(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			credited, booked := tallies[id].credited.Load(), tallies[id].booked.Load()
			b, err := l.Balance(t.Context(), id)
			if want := (ledger.Balance{Millipence: credited - booked, Credited: credited}); err != nil || b != want || booked == 0 {
				t.Errorf("%s: %+v %v, want %+v with %d booked", id, b, err, want, booked)
			}
		}
	})
}

// The last of the credit is held and spent by one of many.
func TestLastOfTheCreditAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		replicas := []*store.DB{storetest.Open(t, address, schema.Apply), storetest.Open(t, address)}
		identify(t, replicas[0], "i")
		if _, err := ledger.New(replicas[0], nil).Credit(t.Context(), "i", 100, "r", "admin"); err != nil {
			t.Fatal(err)
		}
		var held, booked atomic.Int64
		var all sync.WaitGroup
		for w := range 12 {
			all.Go(func() {
				db := replicas[w%2]
				l := ledger.New(db, nil)
				added, err := l.Hold(t.Context(), "i", fmt.Sprint("h", w), 30, 30)
				if err != nil {
					t.Error(err)
				}
				held.Add(added)
				booked.Add(spend(t, db, l, "i", fmt.Sprint("h", w), 30, 0, noon))
			})
		}
		all.Wait()
		if booked.Load() != 100 || held.Load() > 100 {
			t.Errorf("%d of 100 were held, %d booked", held.Load(), booked.Load())
		}
		if err := adds(t.Context(), replicas[1], "i"); err != nil {
			t.Error(err)
		}
	})
}
