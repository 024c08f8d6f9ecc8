package meter

import (
	"context"
	"crypto/subtle"
	"slices"
	"sync"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/signed"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/store"
)

// How long records are valid, and how many are cached.
const (
	// A record that is older than refreshAfter is loaded while it is used, so that calls of a busy
	// key never wait; one that is older than Fresh before it is used.
	refreshAfter = Fresh - time.Second
	dbTimeout    = time.Second // for the database, where Options.Wait is 0
	retryAfter   = time.Second // before a database that failed is tried again
	unknownFor   = Fresh       // an unknown secret is remembered

	recordsMax     = 1 << 16
	unknownKeysMax = 1 << 14
)

// records caches the keys by the hash of their secrets. A look-up in a map by the hash
// has a timing that reveals nothing of the secret.
type records struct {
	gate *Gate

	mu          sync.RWMutex
	known       *bounded[string, *record]
	named       map[string][]string // hashes by the id of a key or an identity
	unknownKeys *bounded[string, time.Time]
	loads       map[string]*recordLoad
	failed      time.Time // when the database last did not answer
}

// recordLoad is one load, for which all callers of the record wait.
type recordLoad struct {
	done        chan struct{}
	record      *record
	err         error
	invalidated map[string]struct{} // ids whose change it may have missed
}

func newRecords(g *Gate) *records {
	c := &records{
		gate: g, known: newBounded[string, *record](recordsMax), named: map[string][]string{},
		unknownKeys: newBounded[string, time.Time](unknownKeysMax), loads: map[string]*recordLoad{},
	}
	c.known.onEvict = c.unname
	return c
}

// find returns the record of a secret.
func (c *records) find(ctx context.Context, secret string, now time.Time) (*record, error) {
	return c.findBy(ctx, account.Hash(secret), now, func() bool { return account.Plausible(secret) })
}

// findSigner returns the record of the key for which a secret signs addresses.
func (c *records) findSigner(ctx context.Context, id signed.ID, now time.Time) (*record, error) {
	return c.findBy(ctx, signerMark+id.String(), now, func() bool { return true })
}

// findBy returns a record by its hash. What is not cached and not plausible is unknown.
func (c *records) findBy(ctx context.Context, hash string, now time.Time, plausible func() bool) (*record, error) {
	c.mu.RLock()
	r, ok := c.known.get(hash, now)
	c.mu.RUnlock()
	if ok && subtle.ConstantTimeCompare([]byte(r.hash), []byte(hash)) != 1 {
		ok = false
	}
	if ok {
		age := now.Sub(r.read)
		if r.month == c.gate.dateOf(now).month && age < Fresh {
			if age < 0 || age >= refreshAfter {
				c.load(hash)
			}
			return r, nil
		}
	} else {
		r = nil
		if !plausible() {
			return nil, unknown()
		}
		if c.knownMissing(hash, now) {
			return nil, unknown()
		}
	}
	return c.wait(ctx, hash, r)
}

func unknown() error {
	return fault.New(fault.Unauthorized, "no such API key; send it as Authorization: Bearer KEY or as the query parameter api_key")
}

// knownMissing reports whether a secret was found to be unknown a moment ago.
func (c *records) knownMissing(hash string, now time.Time) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	until, ok := c.unknownKeys.get(hash, now)
	return ok && now.Before(until) && until.Sub(now) <= unknownFor
}

// wait loads a record, or returns the old one if the database does not answer. Only the
// first caller to notice a failure waits for it.
func (c *records) wait(ctx context.Context, hash string, old *record) (*record, error) {
	f, failing := c.load(hash)
	switch {
	case failing && old != nil:
		return old, nil
	case f == nil:
		return nil, store.Unavailable(errPaused)
	}
	select {
	case <-f.done:
	case <-ctx.Done():
		return nil, store.Unavailable(ctx.Err())
	}
	switch {
	case f.err != nil && old != nil:
		return old, nil
	case f.err != nil:
		return nil, store.Unavailable(f.err)
	case f.record == nil:
		return nil, unknown()
	}
	return f.record, nil
}

// load starts to load a record, or joins a running load; it returns nil while the
// database is not asked because it has just failed. failing reports that it has not
// answered since its last failure.
func (c *records) load(hash string) (f *recordLoad, failing bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	failing = !c.failed.IsZero()
	f, ok := c.loads[hash]
	if !ok && (!failing || time.Since(c.failed) >= retryAfter) {
		f = &recordLoad{done: make(chan struct{}), invalidated: map[string]struct{}{}}
		c.loads[hash] = f
		parallel.Go(func() { c.runLoad(hash, f); close(f.done) }, func(p *parallel.Panic) {
			c.finishLoad(hash, f, nil, p)
			close(f.done)
		})
	}
	return f, failing
}

// runLoad reads until it has missed no change, and caches the record. It belongs to no
// caller, so that a caller who goes away does not end it for the others.
func (c *records) runLoad(hash string, f *recordLoad) {
	ctx, cancel := context.WithTimeout(context.Background(), c.gate.options.Wait)
	defer cancel()
	for tried := false; ; {
		r, err := c.gate.read(ctx, hash)
		if err != nil && !tried && ctx.Err() == nil {
			tried = true // the first query after a restart of the server fails on each connection
			continue
		}
		if c.finishLoad(hash, f, r, err) {
			return
		}
	}
}

// finishLoad caches what a load has read, unless it has to read again.
func (c *records) finishLoad(hash string, f *recordLoad, r *record, err error) bool {
	now := c.gate.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	f.record, f.err = r, err
	switch {
	case err != nil:
		if c.failed.IsZero() {
			c.gate.log.Error("keys cannot be read; those in memory are served on", "error", err)
		}
		c.failed = time.Now()
	case r != nil && f.outdated(r):
		clear(f.invalidated)
		return false
	case r == nil:
		c.failed = time.Time{}
		c.drop(hash)
		c.unknownKeys.put(hash, now.Add(unknownFor), now)
	default:
		c.failed = time.Time{}
		c.put(hash, r, now)
		c.gate.pools.learn(r, now)
	}
	delete(c.loads, hash)
	return true
}

func (f *recordLoad) outdated(r *record) bool {
	_, key := f.invalidated[r.key.ID]
	_, identity := f.invalidated[r.key.IdentityID]
	return key || identity
}

func (c *records) put(hash string, r *record, now time.Time) {
	c.drop(hash)
	c.known.put(hash, r, now)
	for _, id := range r.ids() {
		c.named[id] = append(c.named[id], hash)
	}
}

// ids returns the ids by which a record can be forgotten.
func (r *record) ids() []string {
	if r.key.IdentityID == "" {
		return []string{r.key.ID}
	}
	return []string{r.key.ID, r.key.IdentityID}
}

func (c *records) drop(hash string) {
	if s, ok := c.known.entries[hash]; ok {
		delete(c.known.entries, hash)
		c.unname(s.value)
	}
}

func (c *records) unname(r *record) {
	for _, id := range r.ids() {
		left := slices.DeleteFunc(c.named[id], func(hash string) bool { return hash == r.hash })
		if len(left) == 0 {
			delete(c.named, id)
		} else {
			c.named[id] = left
		}
	}
}

// forget drops the records of an id, and makes running loads read again.
func (c *records) forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, hash := range slices.Clone(c.named[id]) {
		c.drop(hash)
	}
	for _, f := range c.loads {
		f.invalidated[id] = struct{}{}
	}
}
