package main

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// module is the source of one version of the program.
type module struct {
	fset     *token.FileSet
	dir      string
	packages []*pkg // without tests and generated code
	tests    []string
}

// pkg is one of our packages, with the files of all systems.
type pkg struct {
	path  string // below the module, e.g. internal/page
	files []*file
}

type file struct {
	name   string // with its package, e.g. internal/page/tab.go
	text   string
	syntax *ast.File
	fset   *token.FileSet
}

// at is where a piece of its syntax begins: the file's name and the line.
func (f *file) at(n ast.Node) string {
	return fmt.Sprintf("%s:%d", f.name, f.fset.Position(n.Pos()).Line)
}

// span is how many lines of the file a piece of its syntax has.
func (f *file) span(n ast.Node) int {
	return f.fset.Position(n.End()).Line - f.fset.Position(n.Pos()).Line + 1
}

// load parses all Go files of the module in dir. Everything below e2e is a test.
func load(dir string) (*module, error) {
	m := &module{fset: token.NewFileSet(), dir: dir}
	byPath := map[string]*pkg{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != dir && (strings.HasPrefix(d.Name(), ".") || ignored[d.Name()]):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}

		raw, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if strings.HasSuffix(rel, "_test.go") || strings.HasPrefix(rel, "e2e/") {
			m.tests = append(m.tests, string(raw))
			return nil
		}

		f, err := parse(m.fset, rel, string(raw))
		if err != nil || ast.IsGenerated(f.syntax) {
			return err
		}
		at := path.Dir(rel)
		if byPath[at] == nil {
			byPath[at] = &pkg{path: at}
			m.packages = append(m.packages, byPath[at])
		}
		byPath[at].files = append(byPath[at].files, f)
		return nil
	})
	return m, err
}

// ignored are folders without source of ours.
var ignored = map[string]bool{"node_modules": true, "testdata": true, "bin": true, "dist": true}

func parse(fset *token.FileSet, name, text string) (*file, error) {
	syntax, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &file{name: name, text: text, syntax: syntax, fset: fset}, nil
}

// resolve finds out, with the types of the program on Linux, which files refer to which.
func (m *module) resolve() (map[string]references, error) {
	list := exec.CommandContext(context.Background(), "go", "list", "-trimpath", "-deps", "-export",
		"-json=ImportPath,Dir,Export,GoFiles,Module", "./...")
	list.Dir = m.dir
	list.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}

	exports := map[string]string{}
	var ours []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[l.ImportPath] = l.Export
		if l.Module != nil && l.Module.Main && len(l.GoFiles) > 0 {
			ours = append(ours, l)
		}
	}

	fset := token.NewFileSet()
	known := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	all := map[string]references{}
	for _, l := range ours {
		at := strings.TrimPrefix(strings.TrimPrefix(l.ImportPath, l.Module.Path), "/")
		if i := slices.IndexFunc(m.packages, func(p *pkg) bool { return p.path == at }); i < 0 {
			continue // a test
		}
		all[at], err = l.references(fset, known)
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// listed is what the go command says about a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Module                  *struct {
		Path string
		Main bool
	}
}

func (l listed) references(fset *token.FileSet, known types.Importer) (references, error) {
	var files []*ast.File
	for _, name := range l.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(l.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	checked, err := (&types.Config{Importer: known}).Check(l.ImportPath, fset, files, info)
	if err != nil {
		return nil, err
	}

	refs := references{}
	for id, object := range info.Uses {
		if v, isVar := object.(*types.Var); object.Pkg() != checked || isVar && v.IsField() {
			continue
		}
		refs.add(fset.Position(id.Pos()).Filename, fset.Position(object.Pos()).Filename)
	}
	return refs, nil
}

// checkout writes the files of a git ref into a temporary folder, which the caller removes.
func checkout(ref string) (dir string, err error) {
	dir, err = os.MkdirTemp("", "cove-figures")
	if err != nil {
		return "", err
	}
	archive := exec.CommandContext(context.Background(), "git", "archive", "--format=tar", ref)
	archive.Stderr = os.Stderr
	out, err := archive.Output()
	if err != nil {
		return dir, fmt.Errorf("git archive %s: %w", ref, err)
	}
	return dir, unpack(bytes.NewReader(out), dir)
}

func unpack(r io.Reader, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()

	for archive := tar.NewReader(r); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if err := root.MkdirAll(path.Dir(h.Name), 0o755); err != nil {
			return err
		}
		raw, err := io.ReadAll(archive)
		if err != nil {
			return err
		}
		if err := root.WriteFile(h.Name, raw, 0o644); err != nil {
			return err
		}
	}
}
