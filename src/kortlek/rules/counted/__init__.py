"""What a designer wants counted in each game besides scores and wins: how often each rule bites. No rules of play."""
