package pack

import (
	"archive/zip"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/waygate/waygate/voice/audio"
)

// Format is the version of the form of a pack. A reader refuses a higher one.
const Format = 1

// A pack is a zip whose files are stored as they are: the index, and clips by their hashes.
const (
	indexName  = "index.json"
	clipFolder = "clips/"
)

// Limits of what is read.
const (
	mostIndex = 256 << 20 // bytes
	mostClip  = 16 << 20
	mostText  = 1000 // bytes of a text that clips are looked for
)

// About describes the clips of a pack.
type About struct {
	Format   int          `json:"format"`
	Language string       `json:"language"` // BCP 47 tag
	Voice    string       `json:"voice"`
	Rate     float64      `json:"rate"`
	Media    audio.Format `json:"media"`
}

// Clip is the speech of a phrase.
type Clip struct {
	Phrase  string  `json:"phrase"` // as the narration writes it
	Hash    string  `json:"hash"`   // addresses the clip on a gateway, too
	Seconds float64 `json:"duration_s"`
}

type index struct {
	About
	Clips []Clip `json:"clips"` // in the order of their phrases
}

// Write writes a pack. read returns the bytes of a clip. Equal clips give equal bytes.
func Write(w io.Writer, about About, clips []Clip, read func(c Clip) ([]byte, error)) error {
	about.Format = Format
	clips = slices.Clone(clips)
	slices.SortFunc(clips, func(a, b Clip) int { return cmp.Or(cmp.Compare(a.Phrase, b.Phrase), cmp.Compare(a.Hash, b.Hash)) })
	text, err := json.Marshal(index{about, clips})
	if err != nil {
		return err
	}
	if len(text) > mostIndex {
		return fmt.Errorf("the index has %d bytes, above the limit of %d: take fewer roads", len(text), mostIndex)
	}
	z := zip.NewWriter(w)
	put := func(name string, data []byte) error {
		f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return err
	}
	if err := put(indexName, text); err != nil {
		return err
	}
	written := map[string]bool{}
	for _, c := range clips {
		if written[c.Hash] {
			continue // phrases that are spoken alike share a clip
		}
		written[c.Hash] = true
		data, err := read(c)
		if err != nil {
			return fmt.Errorf("%q: %w", c.Phrase, err)
		}
		if err := put(about.name(c), data); err != nil {
			return err
		}
	}
	return z.Close()
}

// name returns the file of a clip.
func (a *About) name(c Clip) string { return clipFolder + c.Hash + "." + string(a.Media) }

// Pack is a pack that is open. Its methods are safe for concurrent use.
type Pack struct {
	About
	clips map[string]Clip // by phrase, its first letter small
	files map[string]*zip.File
	close func() error
}

// Open opens a file, to be closed.
func Open(name string) (*Pack, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		var p *Pack
		if p, err = Read(f, info.Size()); err == nil {
			p.close = f.Close
			return p, nil
		}
	}
	return nil, errors.Join(fmt.Errorf("%s: %w", name, err), f.Close())
}

// Close closes the file.
func (p *Pack) Close() error {
	if p.close == nil {
		return nil
	}
	return p.close()
}

// Read reads a pack of so many bytes.
func Read(from io.ReaderAt, size int64) (*Pack, error) {
	z, err := zip.NewReader(from, size)
	if err != nil {
		return nil, fmt.Errorf("no pack of clips: %w", err)
	}
	p := &Pack{clips: map[string]Clip{}, files: map[string]*zip.File{}}
	for _, f := range z.File {
		p.files[f.Name] = f
	}
	text, err := p.file(indexName, mostIndex)
	if err != nil {
		return nil, err
	}
	var x index
	if err := json.Unmarshal(text, &x); err != nil {
		return nil, fmt.Errorf("%s of the pack: %w", indexName, err)
	}
	if x.Format < 1 || x.Format > Format {
		return nil, fmt.Errorf("the pack has format %d and this build reads up to %d: upgrade waygate", x.Format, Format)
	}
	p.About = x.About
	for _, c := range x.Clips {
		p.clips[small(c.Phrase)] = c
	}
	return p, nil
}

// file reads a file of the pack.
func (p *Pack) file(name string, most int64) (_ []byte, err error) {
	f := p.files[name]
	if f == nil {
		return nil, fmt.Errorf("the pack has no %s", name)
	}
	if f.Method != zip.Store || f.UncompressedSize64 > uint64(most) || f.UncompressedSize64 != f.CompressedSize64 {
		return nil, fmt.Errorf("%s of the pack is packed, or longer than %d bytes", name, most)
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return io.ReadAll(io.LimitReader(r, most))
}

// Len returns the number of phrases.
func (p *Pack) Len() int { return len(p.clips) }

// Find returns the clips that speak a text one after the other: one for the whole of it, or those of
// its sentences and of the leads before them, the longest first. It returns none where a part of
// the text has no clip.
func (p *Pack) Find(text string) (list []Clip) {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > mostText {
		return nil
	}
	for text != "" {
		c, rest, ok := p.first(text)
		if !ok {
			return nil
		}
		list, text = append(list, c), rest
	}
	return list
}

// first finds the longest phrase that begins a text and ends at a space of it.
func (p *Pack) first(text string) (c Clip, rest string, ok bool) {
	for end := len(text); end > 0; end = strings.LastIndexByte(text[:end], ' ') {
		if c, ok := p.clips[small(text[:end])]; ok {
			return c, strings.TrimPrefix(text[end:], " "), true
		}
	}
	return Clip{}, "", false
}

// Sound reads a clip: a file of the format of the pack.
func (p *Pack) Sound(c Clip) ([]byte, error) { return p.file(p.name(c), mostClip) }

// FileName returns the name of the file of a pack among the layers of a territory.
func (a *About) FileName() string {
	return path.Base(fmt.Sprintf("voice-%s-%s-%s.zip", a.Language, a.Voice, a.Media))
}
