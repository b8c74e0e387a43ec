// Package bundle makes the files that browsers run from their sources in TypeScript: the window's page, the scripts
// that run in pages, and the types of the API. What it makes is committed, so that a build of Cove needs neither this
// package nor Node.
package bundle

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// Files are made files by their path in the repository, with slashes.
type Files map[string][]byte

// The folders of the window, and of the scripts that run in pages.
const (
	webui = "internal/webui"
	dom   = "internal/page/dom"
)

// Made returns every file that is made from another one, for the repository in root.
func Made(root string) (Files, error) {
	made := Files{}
	for _, add := range []func(string, Files) error{types, window, scripts} {
		if err := add(root, made); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// Folders hold made files only.
func Folders() []string { return []string{webui + "/dist", dom + "/dist"} }

// libraries are the names by which the sources import what is vendored.
var libraries = map[string]string{
	"preact": "preact.mjs", "preact/hooks": "hooks.mjs", "preact/jsx-runtime": "jsx-runtime.mjs",
	"@preact/signals": "signals.mjs", "@preact/signals-core": "signals-core.mjs",
}

// window makes the page of the window: its script, those of views that are loaded when they are first shown, one style
// sheet, and the files that are served as they are. The colours stay apart: the page of the API has them, too.
func window(root string, made Files) error {
	vendored := map[string]string{}
	for name, file := range libraries {
		vendored[name] = filepath.Join(root, webui, "vendored", file)
	}
	err := build(root, made, webui+"/dist", api.BuildOptions{
		EntryPointsAdvanced: []api.EntryPoint{
			{InputPath: webui + "/src/app.tsx", OutputPath: "app"},
			{InputPath: webui + "/src/style/style.css", OutputPath: "style"},
		},
		Format: api.FormatESModule, JSX: api.JSXAutomatic, JSXImportSource: "preact", Alias: vendored,
		Splitting: true, MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LineLimit: 1000,
	})
	if err != nil {
		return err
	}

	for name, from := range map[string]string{
		"index.html": "index.html", "icon.svg": "icon.svg", "icon-waiting.svg": "icon-waiting.svg",
		"colours.css": "style/colours.css",
	} {
		text, err := os.ReadFile(filepath.Join(root, webui, "src", filepath.FromSlash(from)))
		if err != nil {
			return fmt.Errorf("copy a file of the window: %w", err)
		}
		made[webui+"/dist/"+name] = text
	}
	return nil
}

// scripts makes the two scripts of each frame's isolated world: the walker, and what acts on elements. Names stay as
// they are, so that an error in a page says where it is.
func scripts(root string, made Files) error {
	return build(root, made, dom+"/dist", api.BuildOptions{
		EntryPointsAdvanced: []api.EntryPoint{
			{InputPath: dom + "/src/walker/version.ts", OutputPath: "walker"},
			{InputPath: dom + "/src/act/act.ts", OutputPath: "act"},
		},
		Format: api.FormatIIFE, MinifyWhitespace: true, LineLimit: 200,
	})
}

// build runs esbuild and adds what it made to the files below folder.
func build(root string, made Files, folder string, o api.BuildOptions) error {
	o.AbsWorkingDir, o.Outdir = root, filepath.Join(root, filepath.FromSlash(folder))
	o.Bundle, o.Charset, o.Target, o.LegalComments = true, api.CharsetUTF8, api.ES2022, api.LegalCommentsNone
	o.TsconfigRaw = "{}" // what tsconfig.json says is about the checks

	done := api.Build(o)
	if len(done.Errors) > 0 {
		return errors.New(strings.Join(api.FormatMessages(done.Errors, api.FormatMessagesOptions{}), ""))
	}
	for _, file := range done.OutputFiles {
		name, err := filepath.Rel(root, file.Path)
		if err != nil {
			return fmt.Errorf("name %s: %w", file.Path, err)
		}
		made[filepath.ToSlash(name)] = file.Contents
	}
	return nil
}

// Stale returns the files of the repository that are not as their sources make them, with what is wrong with each.
func Stale(root string, made Files) ([]string, error) {
	var stale []string
	for name, want := range made {
		got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		switch {
		case errors.Is(err, os.ErrNotExist):
			stale = append(stale, name+" is missing")
		case err != nil:
			return nil, fmt.Errorf("read a made file: %w", err)
		case string(got) != string(want):
			stale = append(stale, name+" is not what its sources make")
		}
	}
	for _, folder := range Folders() {
		entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(folder)))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("list made files: %w", err)
		}
		for _, e := range entries {
			if _, ok := made[folder+"/"+e.Name()]; !ok {
				stale = append(stale, folder+"/"+e.Name()+" has no source")
			}
		}
	}
	return stale, nil
}
