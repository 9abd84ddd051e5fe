"""Reports of a study: sentences, tables, plots and pages."""
