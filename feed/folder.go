package feed

import (
	"context"
	"fmt"
	"log/slog"
	"time"
)

// Folder has every file of a folder be a source, for as long as it is there: files
// that come while the process runs are polled, and those that go are forgotten.
type Folder struct {
	Kind string
	Dir  string
	// Add makes a feed of a source, and Remove lets go of the one with an id.
	Add    func(Source) (Member, error)
	Remove func(id string)
	Every  time.Duration // between two looks at the folder; 0 is 10 s
	Log    *slog.Logger  // nil is slog.Default

	files map[string]*file // by path; of the goroutine that looks
}

// file is a file of a folder.
type file struct {
	id      string // of its feed; "" where it was refused
	member  Member
	missing bool // at the last look: one that is written anew may not be there for a moment
}

// mostFiles is how many files of one folder are sources.
const mostFiles = 1000

// look adds feeds of files that have come to a set, and takes out those of files that
// have been missing twice. Where the folder cannot be read all stay. The failure is
// of the folder, or of the first file that was refused.
func (d *Folder) look(s *Set) error {
	list, err := Listed(d.Kind, d.Dir)
	if err != nil {
		return err
	}
	if len(list) > mostFiles {
		return fmt.Errorf("%s has %d files; the limit is %d", d.Dir, len(list), mostFiles)
	}
	if d.files == nil {
		d.files = map[string]*file{}
	}
	there := make(map[string]bool, len(list))
	for _, source := range list {
		there[source.URL] = true
		if f := d.files[source.URL]; f != nil {
			f.missing = false
			continue
		}
		source.ID = s.unused(source.ID)
		m, refused := d.Add(source)
		if refused != nil {
			d.files[source.URL] = &file{}
			if err == nil {
				err = refused
			}
			continue
		}
		d.files[source.URL] = &file{id: source.ID, member: m}
		s.Add(m)
	}
	for path, f := range d.files {
		switch {
		case there[path]:
		case !f.missing:
			f.missing = true
		default:
			delete(d.files, path)
			if f.member != nil {
				s.remove(f.member)
				d.Remove(f.id)
			}
		}
	}
	return err
}

// follow looks at the folder until ctx ends.
func (d *Folder) follow(ctx context.Context, s *Set) {
	log, logged := d.Log, ""
	if log == nil {
		log = slog.Default()
	}
	every := d.Every
	if every == 0 {
		every = 10 * time.Second
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		text := ""
		if err := d.look(s); err != nil {
			text = err.Error()
		}
		if text != "" && text != logged {
			log.Warn("a folder of feeds could not be read whole", "kind", d.Kind, "error", text)
		}
		logged = text
	}
}

// Follow adds the feeds of a folder's files, and has Run look at it from then on. It is
// for the time before Run.
func (s *Set) Follow(d *Folder) error {
	if err := d.look(s); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.folders = append(s.folders, d)
	return nil
}

// unused returns an id that no feed of the set has.
func (s *Set) unused(id string) string {
	taken := map[string]bool{}
	for _, m := range s.all() {
		taken[m.Status().ID] = true
	}
	free := id
	for n := 2; taken[free]; n++ {
		free = fmt.Sprintf("%.40s-%d", id, n)
	}
	return free
}
