package pointclouds

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/fault"
)

// Clearance is the part of a manifest that names what was measured from a dataset.
type Clearance struct {
	// Artefact is the name of the measurements: the file <artefact>.clearance in the folder of
	// the dataset, which is not served.
	Artefact string `json:"artefact"`
	// Sources are the SHA-256 in hexadecimal digits of the surveys that the artefact was built
	// from, by file name. They lie in the folder of the dataset, whether they are served or not.
	Sources map[string]string `json:"sources"`
}

// artefactSuffix ends the names of files of artefacts.
const artefactSuffix = ".clearance"

// mostSources bounds the surveys of an artefact.
const mostSources = 10_000

var (
	artefactName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,99}$`)
	sourceName   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$`)
	sha256Text   = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

func (c *Clearance) check() error {
	if !artefactName.MatchString(c.Artefact) {
		return fmt.Errorf("clearance.artefact: %q must be 1 to 100 lower-case letters, digits and hyphens", fault.Clip(c.Artefact))
	}
	if len(c.Sources) > mostSources {
		return fmt.Errorf("clearance.sources has %d entries, above the limit of %d", len(c.Sources), mostSources)
	}
	for name, sum := range c.Sources {
		if !sourceName.MatchString(name) {
			return fmt.Errorf("clearance.sources: %q must be the name of a file: 1 to 200 letters, digits, dots, underscores and hyphens, the first a letter or digit", fault.Clip(name))
		}
		if !sha256Text.MatchString(sum) {
			return fmt.Errorf("clearance.sources: the value of %s must be a SHA-256 of 64 hexadecimal digits in lower case", name)
		}
	}
	return nil
}

// Surveyed is a dataset with a clearance block.
type Surveyed struct {
	Dataset string
	Clearance
}

// ArtefactFile returns the artefact's name in the store.
func (s *Surveyed) ArtefactFile() string { return path.Join(s.Dataset, s.Artefact+artefactSuffix) }

// SourceFile returns a survey's name in the store.
func (s *Surveyed) SourceFile(name string) string { return path.Join(s.Dataset, name) }

// Surveys lists the datasets that have a clearance block, by name: those among the first 1,000
// datasets. A manifest that cannot be read has none. It fails where the store does.
func (s *Service) Surveys(ctx context.Context) (list []Surveyed, err error) {
	if s == nil {
		return nil, nil
	}
	names, err := s.Store.List(ctx, manifests, "", mostDatasets)
	if err != nil {
		return nil, unavailable(err)
	}
	for _, file := range names {
		name, ok := strings.CutSuffix(file, manifestSuffix)
		if !ok || !datasetName.MatchString(name) {
			continue
		}
		m, err := s.manifest(ctx, name)
		var broken *brokenManifest
		switch {
		case errors.As(err, &broken), errors.Is(err, blob.ErrNotFound):
		case err != nil:
			return nil, unavailable(err)
		case m.Clearance != nil:
			list = append(list, Surveyed{name, *m.Clearance})
		}
	}
	return list, nil
}

// Visible reports whether a viewer may read a dataset, which has to be there. It fails where
// the store does.
func (s *Service) Visible(ctx context.Context, viewer Viewer, dataset string) (bool, error) {
	if s == nil || !datasetName.MatchString(dataset) {
		return false, nil
	}
	m, err := s.manifest(ctx, dataset)
	var broken *brokenManifest
	switch {
	case errors.As(err, &broken), errors.Is(err, blob.ErrNotFound):
		return false, nil
	case err != nil:
		return false, unavailable(err)
	}
	return m.visible(viewer), nil
}
