package importer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/waygate/waygate/region"
)

// stage is one step from extracts to region. Its key is a hash of its name and
// version, its settings, the sources, the outputs of the stages it needs and
// what else it reads; a stage is skipped if its key is the one it last finished
// with.
type stage struct {
	name     string
	version  int                                       // to be raised whenever the stage makes something else of the same inputs
	needs    []string                                  // earlier stages whose outputs it reads
	settings string                                    // the options that its result depends on
	reads    func(ctx context.Context) (string, error) // hash of what else it reads, called once the stages it needs are done; nil for nothing
	section  string                                    // name of the section it makes, "" for none
	format   int                                       // format version of that section
	// run writes the section to path and returns counts and facts for the manifest.
	run func(ctx context.Context, path string, report func(done, size int64)) (finding, error)
}

// finding has the entries that a stage adds to the manifest besides its section.
type finding struct {
	Counts map[string]int64  `json:"counts,omitempty"`
	Facts  map[string]string `json:"facts,omitempty"`
}

// record is the stored result of a finished stage in the work folder.
type record struct {
	Key     string              `json:"key"`
	Output  *region.SectionInfo `json:"output,omitempty"`
	Finding finding             `json:"finding"`
	Took    time.Duration       `json:"took"`
}

// workFolder has unfinished files and the records of finished stages, inside the
// region's folder.
const workFolder = ".import"

// stageRunner runs the stages of an import that are not done already.
type stageRunner struct {
	dir, work string // folder of the region, and of the records in it
	sources   []region.Source
	progress  func(Progress) // nil reports nothing

	done  map[string]record
	took  map[string]time.Duration // by stage, for those that ran
	freed uint64                   // bytes allocated when memory was last given back
}

func (w *stageRunner) report(p Progress) {
	if w.progress != nil {
		w.progress(p)
	}
}

func (w *stageRunner) key(ctx context.Context, s *stage) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s %d %d %q\n", s.name, s.version, s.format, s.settings)
	for _, src := range w.sources {
		fmt.Fprintln(h, src.SHA256)
	}
	for _, n := range s.needs {
		if out := w.done[n].Output; out != nil {
			fmt.Fprintln(h, out.SHA256)
		}
	}
	if s.reads != nil {
		sum, err := s.reads(ctx)
		if err != nil {
			return "", fmt.Errorf("stage %s: %w", s.name, err)
		}
		fmt.Fprintln(h, sum)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// finish runs a stage unless it is already done, and saves its record.
func (w *stageRunner) finish(ctx context.Context, s *stage) error {
	key, err := w.key(ctx, s)
	if err != nil {
		return err
	}
	if r, ok := w.load(s.name); ok && r.Key == key && s.isCurrent(r) && w.intact(ctx, r) {
		w.done[s.name] = r
		w.report(Progress{Stage: s.name, Skipped: true, Finished: true})
		return nil
	}
	w.report(Progress{Stage: s.name})
	w.free()
	start := time.Now()
	path := filepath.Join(w.work, s.name+".new")
	found, err := s.run(ctx, path, func(done, size int64) { w.report(Progress{Stage: s.name, Done: done, Size: size}) })
	if err != nil {
		return errors.Join(fmt.Errorf("stage %s: %w", s.name, err), removeIfThere(path))
	}
	r := record{Key: key, Finding: found, Took: time.Since(start)}
	if s.section != "" {
		info, err := region.Adopt(w.dir, path, s.section, s.format)
		if err != nil {
			return fmt.Errorf("stage %s: %w", s.name, err)
		}
		r.Output = &info
	}
	w.done[s.name] = r
	w.took[s.name] = r.Took
	if err := w.save(s.name, r); err != nil {
		return err
	}
	// Report only after the record is saved: a stage reported as finished must not run
	// again after a kill.
	w.report(Progress{Stage: s.name, Finished: true, Took: r.Took})
	return nil
}

// worthFreeing is how many bytes an import allocates before the memory of the stages so
// far is given back to the system: less is not worth a collection of the whole heap.
const worthFreeing = 64 << 20

// free gives back what earlier stages had, where that is much.
func (w *stageRunner) free() {
	if now := allocated(); now-w.freed >= worthFreeing {
		debug.FreeOSMemory()
		w.freed = now
	}
}

// allocated returns how many bytes the process has allocated since it began.
func allocated() uint64 {
	total := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(total)
	return total[0].Value.Uint64()
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (w *stageRunner) load(name string) (r record, ok bool) {
	data, err := os.ReadFile(filepath.Join(w.work, name+".json"))
	return r, err == nil && json.Unmarshal(data, &r) == nil
}

func (w *stageRunner) save(name string, r record) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	path := filepath.Join(w.work, name+".json")
	if err := os.WriteFile(path+".new", data, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// isCurrent reports whether a record is of the stage's present key.
func (s *stage) isCurrent(r record) bool {
	if r.Output == nil {
		return s.section == ""
	}
	return r.Output.Name == s.section && r.Output.Version == s.format && filepath.Base(r.Output.File) == r.Output.File
}

// intact reports whether a stage's output still exists undamaged; verify advises an
// import if it finds damage.
func (w *stageRunner) intact(ctx context.Context, r record) bool {
	return r.Output == nil || region.VerifySection(ctx, w.dir, *r.Output) == nil
}
