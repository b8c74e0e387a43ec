package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// references says which file refers to which others.
type references map[string]map[string]bool

func (r references) add(from, to string) {
	if from == to {
		return
	}
	for _, name := range []string{from, to} {
		if r[name] == nil {
			r[name] = map[string]bool{}
		}
	}
	r[from][to] = true
}

// upward is how far the files of a package are from an order in which each uses only those below it.
type upward struct {
	files    int
	named    int // by name, in the plain order
	resolved int // by type, in the best order
}

// namedReferences are the references that a reader without a compiler sees: a file refers to another if it has a word
// in it, outside of comments and texts, that the other declares as a function, method, type, variable or constant.
func namedReferences(p *pkg) references {
	home := map[string][]string{}
	for _, f := range p.files {
		for _, d := range f.syntax.Decls {
			for _, name := range declaredBy(d) {
				home[name.Name] = append(home[name.Name], f.name)
			}
		}
	}
	delete(home, "_")
	delete(home, "init")

	refs := references{}
	for _, f := range p.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				for _, to := range home[id.Name] {
					refs.add(f.name, to)
				}
			}
			return true
		})
	}
	return refs
}

// upwardPairs orders files by how many others refer to them, those that most refer to at the bottom (of equals the one
// that refers to fewer), and counts the pairs of a file and one above it that it refers to.
func upwardPairs(refs references) int {
	users := map[string]int{}
	for _, to := range refs {
		for name := range to {
			users[name]++
		}
	}
	order := slices.Sorted(maps.Keys(refs))
	slices.SortStableFunc(order, func(a, b string) int {
		return cmp.Or(cmp.Compare(users[b], users[a]), cmp.Compare(len(refs[a]), len(refs[b])))
	})
	return refs.upward(order)
}

// upward counts the pairs that run upward in an order from the bottom to the top.
func (r references) upward(order []string) (n int) {
	for i, from := range order {
		for _, to := range order[i+1:] {
			if r[from][to] {
				n++
			}
		}
	}
	return n
}

// leastUpward is the number of pairs that run upward in the best order of the files that a search finds. Zero means
// that no two files need each other.
func leastUpward(refs references) int {
	names := slices.Sorted(maps.Keys(refs))
	random := rand.New(rand.NewPCG(1, 1)) // the same each time
	least := refs.upward(names)
	for range 40 {
		random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for refs.improve(names) {
		}
		least = min(least, refs.upward(names))
	}
	return least
}

// improve moves each file to where the fewest references run upward, and says whether that has changed anything.
func (r references) improve(order []string) (moved bool) {
	cost := func(below, above string) int {
		if r[below][above] {
			return 1
		}
		return 0
	}
	for i, name := range order {
		best, to, sum := 0, i, 0
		for j := i + 1; j < len(order); j++ {
			sum += cost(order[j], name) - cost(name, order[j])
			if sum < best {
				best, to = sum, j
			}
		}
		sum = 0
		for j := i - 1; j >= 0; j-- {
			sum += cost(name, order[j]) - cost(order[j], name)
			if sum < best {
				best, to = sum, j
			}
		}
		if to != i {
			copy(order[min(i, to):], slices.Insert(slices.Delete(slices.Clone(order), i, i+1), to, name)[min(i, to):])
			moved = true
		}
	}
	return moved
}

// layers are our packages from the bottom to the top. A package belongs to the layer that names it or a folder above
// it; all that no layer names is technology.
var layers = map[string]int{
	"api": 0, "internal/fault": 0, "internal/event": 0, "internal/paths": 0, "internal/process": 0, "internal/guard": 0,
	"internal/sensitive": 0, "internal/interrupt": 0, "internal/logging": 0, "internal/random": 0,
	"internal/wording": 0, "internal/profile/id": 0,
	"internal/proxy": 0, "internal/proxy/dial": technology, "internal/proxy/check": technology,
	"internal/proxy/changeip": technology, "internal/proxy/proxytest": technology, // these use the network
	"internal/policy": 1, "internal/profile": 1, "internal/session": 1, "internal/account": 1, // the domain
	"internal":        technology,
	"internal/keeper": 3, "internal/keeperclient": 3, "internal/bridge": 3, "internal/httpapi": 3, "internal/webui": 3,
	"internal/verify": 3, // processes and surfaces
	"internal/app":    4, "internal/cli": 4,
	"cmd": 5, "bench": 5, "e2e": 5, "scripts": 5,
}

const technology = 2

func layer(path string) int {
	for {
		if l, ok := layers[path]; ok {
			return l
		}
		up := strings.LastIndex(path, "/")
		if up < 0 {
			return technology
		}
		path = path[:up]
	}
}

// upwardImports are the imports of a package by one of a lower layer.
func upwardImports(packages []*pkg) (all []string) {
	for _, p := range packages {
		for _, f := range p.files {
			for _, i := range f.syntax.Imports {
				to, ours := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), "cove/")
				if ours && layer(to) > layer(p.path) {
					all = append(all, fmt.Sprintf("%s → %s", f.name, to))
				}
			}
		}
	}
	return all
}
