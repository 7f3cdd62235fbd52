package management

// Visits returns how many owners the search for Clusters has followed.
func (g *Graph) Visits() int { return g.visits }
