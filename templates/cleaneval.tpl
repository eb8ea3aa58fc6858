# The original's features: each by itself, in the block and in its neighbours, and a few combinations.

container.{p,a,u,img,class-header,class-bold,class-italic,class-list,class-form}[{-1,0,1}]
split.{p,br,hr,class-inline,class-block}[{-1,0,1}]

char.{alpha,num,punct,white,other}-rel[{-1,0,1}]
token.{alpha,num,mix,other}-{rel,abs}[{-1,0,1}]
sentence.{count,avg-length}[{-1,0,1}]
sentence-{begin,end}[{-1,0,1}]
{first-duplicate,duplicate-count}[{-1,0,1}]
regexp.{url,date,time}[{-1,0,1}]
bullet[{-1,0,1}]

{div,td}-group.word-ratio[{-1,0,1}]

position[0]
document.{word-count,sentence-count,block-count,max-div-group,max-td-group}[0]

# A sentence that continues in the next block: a sign of a continuation.
sentence-end[-1] sentence-begin[0] split.class-block[0]
# A list has equal bullets in a row.
bullet[-1] bullet[0]
bullet[0] bullet[1]

B
