package glyph

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/image/font/sfnt"
)

// Limits of folders of fonts.
const (
	maxFontFile  = 128 << 20 // bytes
	maxInstalled = 256       // fonts
)

// install reads the fonts of a folder.
func (f *Fonts) install(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !slices.Contains([]string{".ttf", ".otf", ".ttc", ".otc"}, strings.ToLower(filepath.Ext(path))) {
			return err
		}
		info, err := os.Stat(path) // of what a link leads to
		if err != nil {
			return err
		}
		if info.Size() > maxFontFile {
			return fmt.Errorf("font %s has %d bytes, above the limit of %d", path, info.Size(), maxFontFile)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fonts, err := parse(data)
		if err != nil {
			return fmt.Errorf("font %s: %w", path, err)
		}
		for _, font := range fonts {
			if err := f.add(font); err != nil {
				return fmt.Errorf("font %s: %w", path, err)
			}
		}
		return nil
	})
}

// parse reads a font or a collection of fonts. A panic over a damaged one becomes an
// error.
func parse(data []byte) (fonts []*sfnt.Font, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("is damaged: %v", v)
		}
	}()
	all, err := sfnt.ParseCollection(data)
	if err != nil {
		return nil, err
	}
	if all.NumFonts() > maxInstalled {
		return nil, fmt.Errorf("holds %d fonts, above the limit of %d", all.NumFonts(), maxInstalled)
	}
	for i := range all.NumFonts() {
		font, err := all.Font(i)
		if err != nil {
			return nil, err
		}
		fonts = append(fonts, font)
	}
	return fonts, nil
}

// add adds a font under its name.
func (f *Fonts) add(font *sfnt.Font) error {
	name, err := nameOf(font)
	switch {
	case err != nil:
		return err
	case f.faces[name] != nil:
		return fmt.Errorf("there is another font of the name %q", name)
	case len(f.installed) == maxInstalled:
		return fmt.Errorf("more than %d fonts are installed", maxInstalled)
	}
	f.faces[name] = newFace(font)
	f.installed = append(f.installed, name)
	return nil
}

// nameOf returns a font's name as font stacks have it: family and style, such as "Noto
// Sans Regular".
func nameOf(font *sfnt.Font) (string, error) {
	var buf sfnt.Buffer
	for _, ids := range [][2]sfnt.NameID{{sfnt.NameIDTypographicFamily, sfnt.NameIDTypographicSubfamily}, {sfnt.NameIDFamily, sfnt.NameIDSubfamily}} {
		family, err1 := font.Name(&buf, ids[0])
		style, err2 := font.Name(&buf, ids[1])
		name := strings.Join(strings.Fields(strings.ReplaceAll(family+" "+style, ",", " ")), " ")
		if err1 == nil && err2 == nil && family != "" && len(name) <= 100 {
			return name, nil
		}
	}
	return "", errors.New("says nothing of its name")
}
