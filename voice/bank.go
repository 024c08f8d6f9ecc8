package voice

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/voice/audio"
	"github.com/waygate/waygate/voice/speech"
)

// Entry is a clip that is held.
type Entry struct {
	Hash     string       `json:"hash" doc:"addresses the clip"`
	Text     string       `json:"text" doc:"as it is spoken"`
	Language string       `json:"language"`
	Voice    string       `json:"voice"`
	Rate     float64      `json:"rate"`
	Format   audio.Format `json:"format"`
	Seconds  float64      `json:"duration_s" doc:"seconds"`
	Bytes    int64        `json:"bytes"`
}

// The store has each clip under its hash and format, and its entry under its voice and format,
// both in folders by the first digits of the hash. The clip is written first: an entry says that it is whole.
const mostEntry = 64 << 10

func clipName(hash string, f audio.Format) string {
	return path.Join("clips", hash[:2], hash+"."+string(f))
}

func entryFolder(voice string, f audio.Format, shard string) string {
	return path.Join("bank", voice, string(f), shard)
}

func (c *clip) entryName() string {
	return path.Join(entryFolder(c.voice.ID, c.format, c.hash[:1]), c.hash+".json")
}

// find returns the entry of a clip, nil where it is not held.
func (s *Service) find(ctx context.Context, c *clip) (*Entry, error) {
	if e := s.heldNow(c.hash); e != nil {
		return e, nil
	}
	e, err := s.read(ctx, c)
	if err != nil || e == nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held.put(c.hash, e)
	return e, nil
}

// read reads the entry of a clip, nil where it is not held. An entry whose clip is gone, or has
// another size, counts for nothing: the store was tidied, or its disk was full.
func (s *Service) read(ctx context.Context, c *clip) (*Entry, error) {
	e, err := s.readEntry(ctx, c.entryName())
	if err != nil || e == nil {
		return nil, err
	}
	info, err := s.Store.Stat(ctx, clipName(c.hash, c.format))
	if errors.Is(err, blob.ErrNotFound) || err == nil && info.Size != e.Bytes {
		return nil, nil //nolint:nilnil // having none is no failure
	}
	if err != nil {
		return nil, unreachable(ctx, err)
	}
	return e, nil
}

// readEntry reads an entry, nil where there is none that is readable.
func (s *Service) readEntry(ctx context.Context, name string) (*Entry, error) {
	data, err := blob.All(ctx, s.Store, name, mostEntry)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, nil //nolint:nilnil // having none is no failure
	}
	if err != nil {
		return nil, unreachable(ctx, err)
	}
	e := &Entry{}
	if err := json.Unmarshal(data, e); err != nil || e.Hash+".json" != path.Base(name) {
		return nil, nil //nolint:nilerr,nilnil // it is written again with its clip
	}
	return e, nil
}

// unreachable is the failure of the store.
func unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fault.Wrap(err, fault.UpstreamUnavailable, "the store of clips does not answer")
}

// store stores a clip and its entry. Where another replica was first, its clip stays, but not one
// of another size than its entry has.
func (s *Service) store(ctx context.Context, c *clip, data []byte, length time.Duration) (*Entry, error) {
	name := clipName(c.hash, c.format)
	size := int64(len(data))
	err := s.Store.Create(ctx, name, bytes.NewReader(data), size)
	if errors.Is(err, blob.ErrExists) {
		var info blob.Info
		if info, err = s.Store.Stat(ctx, name); err != nil {
			return nil, unreachable(ctx, err)
		}
		there, err := s.readEntry(ctx, c.entryName())
		if err != nil {
			return nil, err
		}
		if there == nil && info.Size > 0 || there != nil && there.Bytes == info.Size {
			size = info.Size
		} else if err := s.Store.Write(ctx, name, bytes.NewReader(data), size); err != nil {
			return nil, unreachable(ctx, err)
		}
	} else if err != nil {
		return nil, unreachable(ctx, err)
	}
	e := &Entry{
		Hash: c.hash, Text: c.text, Language: c.language, Voice: c.voice.ID, Rate: c.rate, Format: c.format,
		Seconds: float64(length.Milliseconds()) / 1000, Bytes: size,
	}
	text, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	err = s.Store.Create(ctx, c.entryName(), bytes.NewReader(text), int64(len(text)))
	if errors.Is(err, blob.ErrExists) {
		there, err := s.read(ctx, c)
		if err != nil || there != nil {
			return there, err
		}
		err = s.Store.Write(ctx, c.entryName(), bytes.NewReader(text), int64(len(text)))
		if err != nil {
			return nil, unreachable(ctx, err)
		}
		return e, nil
	}
	if err != nil {
		return nil, unreachable(ctx, err)
	}
	return e, nil
}

// Clip is a file that is held.
type Clip struct {
	Size  int64
	store blob.Store
	name  string
}

// Open returns a part of at least one byte, to be closed after use.
func (c *Clip) Open(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
	r, err := c.store.Read(ctx, c.name, blob.Span{Offset: offset, Length: length})
	if err != nil {
		return nil, unreachable(ctx, err)
	}
	return r, nil
}

// Clip finds a clip by its hash. It fails as fault.NotFound where it is not held.
func (s *Service) Clip(ctx context.Context, hash string, f audio.Format) (*Clip, error) {
	if err := s.Enabled(); err != nil {
		return nil, err
	}
	none := fault.New(fault.NotFound, "no clip %s.%s is held here; POST /v1/voice/clips makes clips", fault.Clip(hash), fault.Clip(string(f)))
	if !ValidHash(hash) || f.Media() == audio.Format("").Media() {
		return nil, none
	}
	name := clipName(hash, f)
	info, err := s.Store.Stat(ctx, name)
	if errors.Is(err, blob.ErrNotFound) || err == nil && info.Size == 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.held.drop(hash)
		return nil, none
	}
	if err != nil {
		return nil, unreachable(ctx, err)
	}
	return &Clip{info.Size, s.Store, name}, nil
}

// Page is a part of the bank.
type Page struct {
	Entries []*Entry
	Next    string // hash to go on after; "" at the end
}

// MostPage is the most entries of a page.
const MostPage = 1000

// shards is how many folders the entries of a voice and format are spread over, by the first digit of
// the hash: a store in a folder reads one whole, and one in a bucket asks for each. readers of entries
// work at once.
const (
	shards  = 16
	readers = 16
)

// Bank lists the clips of a voice and format in the order of their hashes, from the first
// after a hash on. It fails as fault.Invalid for what is no voice, format or hash.
func (s *Service) Bank(ctx context.Context, voice string, f audio.Format, after string, most int) (*Page, error) {
	if err := s.Enabled(); err != nil {
		return nil, err
	}
	if !speech.ValidID(voice) {
		return nil, fault.Invalid(fault.Violation{Location: "voice", Value: fault.Clip(voice), Message: "is no ID of a voice: letters, digits, dots, underscores and hyphens"})
	}
	first := 0
	if after != "" {
		if !ValidHash(after) {
			return nil, fault.Invalid(fault.Violation{Location: "after", Value: fault.Clip(after), Message: fmt.Sprintf("is no hash of a clip, which has %d hexadecimal digits", hashLength)})
		}
		n, err := strconv.ParseUint(after[:1], 16, 8)
		if err != nil {
			return nil, err
		}
		first = int(n)
	}
	var names []string
	for shard := first; shard < shards && len(names) <= most; shard++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		folder := entryFolder(voice, f, fmt.Sprintf("%x", shard))
		from := ""
		if shard == first && after != "" {
			from = after + ".json"
		}
		list, err := s.Store.List(ctx, folder, from, most+1-len(names))
		if err != nil {
			return nil, unreachable(ctx, err)
		}
		for _, name := range list {
			names = append(names, path.Join(folder, name))
		}
	}
	p := &Page{}
	if len(names) > most {
		names = names[:most]
		p.Next = strings.TrimSuffix(path.Base(names[most-1]), ".json")
	}
	p.Entries = make([]*Entry, len(names)) // nil for what went in the meantime, or is broken
	var group parallel.Group
	var failed [readers]error
	for g := range readers {
		group.Go(func() {
			for i := g; i < len(names) && failed[g] == nil; i += readers {
				p.Entries[i], failed[g] = s.readEntry(ctx, names[i])
			}
		})
	}
	group.Wait()
	if err := errors.Join(failed[:]...); err != nil {
		return nil, err
	}
	p.Entries = slices.DeleteFunc(p.Entries, func(e *Entry) bool { return e == nil })
	return p, nil
}
