# What a tree may ask for: the shallow figures of a block, and of its neighbours.

shallow.{words,link-density,text-density,word-length,capitals,full-stops}[{-1,0,1}]
position[0]

# What kind of content it is, and whether it goes on.
container.{class-header,li}[{-1,0,1}]
sentence-end[-1]
