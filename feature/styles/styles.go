// Package styles keeps the map styles that callers publish: themes with
// versions that never change, each owned by a key.
package styles

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/style"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Bounds of what is kept.
const (
	MaxPerKey   = 100  // styles of one key
	MaxVersions = 1000 // of one style
	MaxName     = 120  // characters of a name
)

// Service keeps styles in its own tables. Its methods are safe for concurrent
// use, also by several replicas on one database.
type Service struct {
	db  *store.DB
	now func() time.Time
}

// New makes a Service and brings its tables to the newest version; now is nil
// for the clock.
func New(ctx context.Context, db *store.DB, now func() time.Time, log *slog.Logger) (*Service, error) {
	if err := db.MigrateFolder(ctx, "styles", migrations, log); err != nil {
		return nil, err
	}
	if now == nil {
		now = time.Now
	}
	return &Service{db, now}, nil
}

// Style is one version of a style.
type Style struct {
	ID      string
	Version int64 // from 1; 0 of a theme that is built in
	At      time.Time
	Theme   *style.Theme
}

// Spec names the version.
func (s *Style) Spec() string {
	if s.Version == 0 {
		return s.ID
	}
	return s.ID + "@" + strconv.FormatInt(s.Version, 10)
}

// Draft is a style to be published.
type Draft struct {
	KeyID string
	ID    string          // of the style to publish over; "" makes one
	Name  string          // 1 to MaxName characters
	Theme json.RawMessage // nil is the default theme under that name
}

// Publish makes a style, or the next version of one. What is wrong with the
// theme is an invalid-theme with its problems; a style of another key is
// forbidden, one that is not there not-found.
func (s *Service) Publish(ctx context.Context, d Draft) (*Style, error) {
	d.Name = strings.TrimSpace(d.Name)
	if n := utf8.RuneCountInString(d.Name); n < 1 || n > MaxName {
		return nil, fault.Invalid(fault.Violation{Location: "name", Value: d.Name, Message: "must have 1 to 120 characters"})
	}
	theme, problems := &style.Theme{}, []style.Problem(nil)
	if d.Theme != nil {
		theme, problems = style.Read(d.Theme)
	}
	if err := invalid(problems); err != nil {
		return nil, err
	}
	theme.Name = d.Name
	if err := s.pin(ctx, theme); err != nil {
		return nil, err
	}
	raw, err := json.Marshal(theme)
	if err != nil {
		return nil, err
	}
	out := &Style{ID: d.ID, At: s.now().UTC().Truncate(time.Millisecond), Theme: theme}
	err = s.db.Tx(ctx, func(tx *store.Tx) error {
		if d.ID == "" {
			out.ID, out.Version, err = create(ctx, tx, d, out.At)
		} else {
			out.Version, err = next(ctx, tx, d)
		}
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO style_versions (id, version, at, theme) VALUES ($1, $2, $3, $4)", out.ID, out.Version, out.At.UnixMilli(), string(raw))
		return err
	})
	if err != nil {
		return nil, store.Unavailable(err)
	}
	return out, nil
}

// pin names the version of the theme that another extends, built in or hosted, so that what was
// published keeps its values; and sees that the theme is whole.
func (s *Service) pin(ctx context.Context, theme *style.Theme) error {
	onVersion(theme, style.BuiltinVersion)
	if _, builtin := style.Builtin(theme.Extends); !builtin {
		base, err := s.Find(ctx, theme.Extends)
		if err != nil {
			return onExtends(err)
		}
		theme.Extends = base.Spec()
	}
	_, err := s.ResolveTheme(ctx, theme)
	return err
}

// onVersion has a theme extend a version of a built-in one where it names none.
func onVersion(theme *style.Theme, version string) {
	spec := cmp.Or(theme.Extends, style.Default)
	if slices.Contains(style.Names(), spec) {
		theme.Extends = spec + "@" + version
	}
}

// unpinned is the version of the built-in themes when themes began to be stored with one: those
// without one go on to look as they did then.
const unpinned = "2"

// stored reads a theme as it was published.
func stored(raw string) (*style.Theme, error) {
	theme, problems := style.Read([]byte(raw))
	if len(problems) > 0 {
		return nil, invalid(problems)
	}
	onVersion(theme, unpinned)
	return theme, nil
}

func invalid(problems []style.Problem) error {
	if len(problems) == 0 {
		return nil
	}
	first := problems[0]
	return fault.New(fault.InvalidTheme, "%s", strings.TrimPrefix(first.Path+": "+first.Message, ": ")).With("problems", problems)
}

// PreviewTheme puts a theme together that nobody published; nothing of it is kept. What
// is wrong with it is an invalid-theme with its problems.
func (s *Service) PreviewTheme(ctx context.Context, raw json.RawMessage) (*style.ResolvedTheme, error) {
	theme, problems := style.Read(raw)
	if err := invalid(problems); err != nil {
		return nil, err
	}
	return s.ResolveTheme(ctx, theme)
}

// ResolveTheme puts a theme together with those that it extends.
func (s *Service) ResolveTheme(ctx context.Context, theme *style.Theme) (*style.ResolvedTheme, error) {
	var failed error
	look, problems := style.Resolve(theme, func(spec string) (*style.Theme, bool) {
		base, err := s.Find(ctx, spec)
		if err != nil {
			failed = err
			return nil, false
		}
		return base.Theme, true
	})
	if failed != nil {
		return nil, onExtends(failed)
	}
	return look, invalid(problems)
}

// onExtends makes a style that is not there a problem of the theme that extends it.
func onExtends(err error) error {
	var f *fault.Error
	if fault.Is(err, fault.NotFound) && errors.As(err, &f) {
		return invalid([]style.Problem{{Path: "extends", Message: f.Detail}})
	}
	return err
}

// create makes a style whose id is the slug of its name, with a number where
// that is taken.
func create(ctx context.Context, tx *store.Tx, d Draft, at time.Time) (id string, version int64, err error) {
	if err := tx.Serialise(ctx, "styles of "+d.KeyID); err != nil {
		return "", 0, err
	}
	var n int
	if err := tx.QueryRow(ctx, "SELECT COUNT(*) FROM styles WHERE key_id = $1", d.KeyID).Scan(&n); err != nil {
		return "", 0, err
	}
	if n >= MaxPerKey {
		return "", 0, fault.Invalid(fault.Violation{Location: "name", Value: d.Name, Message: "this key has 100 styles, which is the most; publish over one of them by its id"})
	}
	slug := Slug(d.Name)
	for i := 1; ; i++ {
		id = slug
		if i > 1 {
			id += "-" + strconv.Itoa(i)
		}
		if slices.Contains(style.Names(), id) {
			continue
		}
		made, err := tx.Exec(ctx, "INSERT INTO styles (id, key_id, created_at) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING", id, d.KeyID, at.UnixMilli())
		if err != nil || made == 1 {
			return id, 1, err
		}
		if i == 50 { // a name that many took: far ahead there is room
			i += int(at.UnixMilli() % 1e9)
		}
	}
}

// next returns the number of the version that a style gets now.
func next(ctx context.Context, tx *store.Tx, d Draft) (version int64, err error) {
	var owner string
	// The row is taken, so that of two who publish at once one is after the other.
	err = tx.QueryRow(ctx, "UPDATE styles SET key_id = key_id WHERE id = $1 RETURNING key_id", d.ID).Scan(&owner)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, unknown(d.ID)
	}
	if err != nil {
		return 0, err
	}
	if owner != d.KeyID {
		return 0, fault.New(fault.Forbidden, "style %q belongs to another key; only its owner may publish over it", d.ID)
	}
	if err := tx.QueryRow(ctx, "SELECT MAX(version) + 1 FROM style_versions WHERE id = $1", d.ID).Scan(&version); err != nil {
		return 0, err
	}
	if version > MaxVersions {
		return 0, fault.Invalid(fault.Violation{Location: "id", Value: d.ID, Message: "has 1000 versions, which is the most"})
	}
	return version, nil
}

func unknown(spec string) error {
	return fault.New(fault.NotFound, "%s", style.Absent(spec))
}

// Find returns a style by its id, with or without @version; without, the newest.
// Built-in themes are found by their names, with or without one of their versions.
func (s *Service) Find(ctx context.Context, spec string) (*Style, error) {
	id, version, pinned := strings.Cut(spec, "@")
	if theme, ok := style.Builtin(spec); ok {
		return &Style{ID: id, Theme: theme}, nil
	}
	query, args := "SELECT version, at, theme FROM style_versions WHERE id = $1 ORDER BY version DESC LIMIT 1", []any{id}
	if pinned {
		n, err := strconv.ParseInt(version, 10, 64)
		if err != nil || n < 1 {
			return nil, s.noVersion(ctx, id, version)
		}
		query, args = "SELECT version, at, theme FROM style_versions WHERE id = $1 AND version = $2", append(args, n)
	}
	out := &Style{ID: id}
	var at int64
	var raw string
	err := s.db.QueryRow(ctx, query, args...).Scan(&out.Version, &at, &raw)
	if errors.Is(err, sql.ErrNoRows) && pinned {
		return nil, s.noVersion(ctx, id, version)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil, unknown(spec)
	}
	if err != nil {
		return nil, store.Unavailable(err)
	}
	out.At = time.UnixMilli(at).UTC()
	if out.Theme, err = stored(raw); err != nil {
		return nil, err
	}
	return out, nil
}

// noVersion is the error of a version that a style does not have.
func (s *Service) noVersion(ctx context.Context, id, version string) error {
	newest, err := s.Find(ctx, id)
	if err != nil {
		return err
	}
	if newest.Version == 0 {
		return unknown(id + "@" + version)
	}
	return fault.New(fault.NotFound, "style %q has no version %q; it has 1 to %d", id, version, newest.Version)
}

// Of lists the newest versions of a key's styles in the order of their ids.
func (s *Service) Of(ctx context.Context, keyID string) (list []Style, err error) {
	rows, err := s.db.Query(ctx, `SELECT v.id, v.version, v.at, v.theme FROM style_versions v JOIN styles s ON s.id = v.id
		WHERE s.key_id = $1 AND v.version = (SELECT MAX(version) FROM style_versions WHERE id = v.id) ORDER BY v.id`, keyID)
	if err != nil {
		return nil, store.Unavailable(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var one Style
		var at int64
		var raw string
		if err := rows.Scan(&one.ID, &one.Version, &at, &raw); err != nil {
			return nil, store.Unavailable(err)
		}
		one.At = time.UnixMilli(at).UTC()
		if one.Theme, err = stored(raw); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, store.Unavailable(rows.Err())
}

// TransferOwner makes another key the owner of a style.
func (s *Service) TransferOwner(ctx context.Context, id, keyID string) error {
	n, err := s.db.Exec(ctx, "UPDATE styles SET key_id = $2 WHERE id = $1", id, keyID)
	if err == nil && n == 0 {
		return unknown(id)
	}
	return store.Unavailable(err)
}

// Owns reports whether a style is a key's.
func (s *Service) Owns(ctx context.Context, id, keyID string) (bool, error) {
	var n int
	err := s.db.QueryRow(ctx, "SELECT COUNT(*) FROM styles WHERE id = $1 AND key_id = $2", id, keyID).Scan(&n)
	return n > 0, store.Unavailable(err)
}
