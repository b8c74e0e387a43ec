//go:build !race

package clients

const slower = 1
