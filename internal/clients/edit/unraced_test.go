//go:build !race

package edit_test

const slower = 1
